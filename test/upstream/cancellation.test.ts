import t from 'tap';
import { Fault } from '../../src/fault/index.js';
import { Cancellation } from '../../src/upstream/index.js';

t.test('the first reason counts, and each listener hears it once', async (t) => {
  const cancellation = new Cancellation();
  const heard: string[] = [];
  cancellation.on((fault) => heard.push(`a ${fault.code}`));
  cancellation.on((fault) => heard.push(`b ${fault.code}`));
  t.equal(cancellation.fault, undefined);
  const first = new Fault('UPS_TOTAL_TIMEOUT');
  cancellation.cancel(first);
  cancellation.cancel(new Fault('REQ_ABORTED'));
  t.equal(cancellation.fault, first);
  t.strictSame(heard, ['a UPS_TOTAL_TIMEOUT', 'b UPS_TOTAL_TIMEOUT']);
});

t.test('who left does not hear it, and one who left twice takes nobody along', async (t) => {
  const cancellation = new Cancellation();
  const heard: string[] = [];
  const stays = () => heard.push('stays');
  const leaves = () => heard.push('leaves');
  cancellation.on(leaves);
  cancellation.on(stays);
  cancellation.off(leaves);
  cancellation.off(leaves);
  cancellation.cancel(new Fault('REQ_ABORTED'));
  t.strictSame(heard, ['stays']);
});

t.test('a listener that leaves while it is told does not keep the next from hearing', async (t) => {
  const cancellation = new Cancellation();
  const heard: string[] = [];
  const first = () => {
    heard.push('first');
    cancellation.off(first);
  };
  cancellation.on(first);
  cancellation.on(() => heard.push('second'));
  cancellation.cancel(new Fault('INTERNAL'));
  t.strictSame(heard, ['first', 'second']);
});
