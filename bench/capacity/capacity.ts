// The plan for 1, 10 and 100 billion hits a month: prints the tables of docs/capacity.md; `write` puts them there.
// `npm run bench:capacity -- [write]`
import { readFileSync, writeFileSync } from "node:fs";
import { root } from "../../scripts/lib/root.ts";
import { withTables } from "./page.ts";
import { simulateAll, tables } from "./tables.ts";

const page = `${root}docs/capacity.md`;
const found = tables(simulateAll());
if (process.argv[2] === "write") writeFileSync(page, withTables(readFileSync(page, "utf8"), found));
else for (const [name, text] of Object.entries(found)) console.log(`\n${name}\n\n${text}`);
