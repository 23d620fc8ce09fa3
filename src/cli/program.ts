/** The command tree. A command is one file under `commands/` that exports `register…(program)`, and one line here. */
import { Command } from 'commander';
import { registerBench } from './commands/bench.js';
import { registerCompare } from './commands/compare.js';
import { registerExplain } from './commands/explain.js';
import { registerGolden } from './commands/golden.js';
import { registerLesson } from './commands/lesson.js';
import { registerPlan } from './commands/plan.js';
import { registerReplay } from './commands/replay.js';
import { registerReport } from './commands/report.js';
import { registerServe } from './commands/serve.js';
import { registerTrace } from './commands/trace.js';
import { registerWhatIf } from './commands/whatif.js';
import { oneLine } from './exit-codes.js';
import { buildFacts } from './version.js';

const COMMANDS: readonly ((program: Command) => void)[] = [
  registerGolden,
  registerPlan,
  registerReplay,
  registerBench,
  registerCompare,
  registerExplain,
  registerLesson,
  registerReport,
  registerServe,
  registerTrace,
  registerWhatIf,
];

/** Every command with its options. Nothing runs until `parseAsync`; mistakes throw, `main.ts` turns them into exit codes. */
export function createProgram(): Command {
  const program = new Command('vramlab')
    .description('A WebGPU benchmark and GPU-memory fragmentation lab.')
    .version(buildFacts().version)
    .showSuggestionAfterError()
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      // Commander writes its hint on a line of its own; a mistake is one line here.
      outputError: (text, write) => {
        write(`vramlab: ${oneLine(text.replace(/^error: /, ''))}; see \`vramlab --help\`\n`);
      },
    });
  for (const register of COMMANDS) register(program);
  return program;
}
