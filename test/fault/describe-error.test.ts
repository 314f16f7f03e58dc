import t from 'tap';
import { describeError } from '../../src/fault/index.js';

t.test('the message is told only where the engine or Node worded it', async (t) => {
  t.match(describeError(new TypeError('x is not a function')), {
    error: 'TypeError',
    message: 'x is not a function',
    frames: [/^at /],
  });
  t.match(describeError(Object.assign(new Error('read EIO'), { syscall: 'read' })), { message: 'read EIO' });
  const quoting = describeError(new SyntaxError('Unexpected token in {"secret":"canary"}'));
  t.match(quoting, { error: 'SyntaxError', frames: [/^at /] });
  t.notMatch(JSON.stringify(quoting), 'canary');
});

t.test('what is no error has a type and no more', async (t) => {
  for (const [thrown, error] of [
    [null, 'object'],
    ['canary', 'string'],
    [undefined, 'undefined'],
  ] as const)
    t.strictSame(describeError(thrown), { error });
});

t.test('nothing of it can act upon a terminal, and nothing is long', async (t) => {
  const error = new TypeError(`\u001b[2J${'x'.repeat(1_000)}`);
  error.name = `Type\u202eError${'y'.repeat(100)}`;
  const described = describeError(error);
  t.notMatch(JSON.stringify(described), /\u001b|\u202e/);
  t.ok((described.message ?? '').length < 300);
  t.ok(described.error.length < 100);
  t.ok((described.frames ?? []).length <= 12);
});
