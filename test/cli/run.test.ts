import t from 'tap';
import { COMMANDS } from '../../src/cli/commands.js';
import { EXIT } from '../../src/cli/exit-codes.js';
import { assay } from './assay.js';
import { asShown } from './shown.js';

t.test('help: an overview, and each command with its options and exits', async (t) => {
  const { exit, out } = await assay(['help']);
  t.equal(exit, 'OK');
  asShown(t, 'help', out);
  for (const flag of ['--help', '-h']) t.strictSame(await assay([flag]), { exit: 'OK', out, err: '' });
  for (const command of COMMANDS) {
    const words = command.name.split(' ');
    const own = await assay(['help', ...words]);
    t.equal(own.exit, 'OK');
    for (const option of command.options) t.match(own.out, `--${option.name}`);
    for (const name of command.exits) t.match(own.out, new RegExp(`^  ${EXIT[name].code} `, 'm'));
    t.strictSame(await assay([...words, '--help']), own);
    for (const line of own.out.split('\n')) t.ok(line.length <= 90, line);
  }
  asShown(t, 'help-serve', (await assay(['help', 'serve'])).out);
});

t.test('no command at all shows the overview as an error', async (t) => {
  const { exit, out, err } = await assay([]);
  t.equal(exit, 'USAGE');
  t.equal(out, '');
  t.equal(err, (await assay(['help'])).out);
});

t.test('--version', async (t) => {
  t.match(await assay(['--version']), { exit: 'OK', out: /^assay \d+\.\d+\.\d+\n$/, err: '' });
});

t.test('what is wrong with a command line is said in one line', async (t) => {
  const cases: [string[], string][] = [
    [['serv'], "assay: no command 'serv'; did you mean assay serve?\n"],
    [['chekc'], "assay: no command 'chekc'; did you mean assay check?\n"],
    [['audit'], "assay: no command 'audit'; did you mean assay audit verify?\n"],
    [['audit', 'prove'], "assay: no command 'audit'; did you mean assay audit verify?\n"],
    [['help', 'dmo'], "assay: no command 'dmo'; did you mean assay demo?\n"],
    [['xyzzyxyzzy'], "assay: no command 'xyzzyxyzzy'; assay help lists them\n"],
    [
      ['check', '--cofnig', 'x'],
      "assay check: unknown option '--cofnig'\n  = assay help check tells its options\n",
    ],
    [['check', 'x'], "assay check: unexpected argument 'x'\n  = assay help check tells its options\n"],
    [
      ['demo', '--once=1'],
      "assay demo: option '--once' does not take an argument\n  = assay help demo tells its options\n",
    ],
    [
      ['serve', '--config'],
      "assay serve: option '-c, --config <value>' argument missing\n  = assay help serve tells its options\n",
    ],
  ];
  for (const [argv, message] of cases) {
    t.strictSame(await assay(argv), { exit: 'USAGE', out: '', err: message }, argv.join(' '));
  }
});
