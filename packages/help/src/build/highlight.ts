import highlighter from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import nginx from "highlight.js/lib/languages/nginx";
import php from "highlight.js/lib/languages/php";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { escaped } from "./html.ts";

const languages = { bash, javascript, json, nginx, php, python, ruby, sql, typescript, xml, yaml };
for (const [name, language] of Object.entries(languages)) highlighter.registerLanguage(name, language);

/** Code as HTML, its parts told apart where its language is known. `sh`, `ts` and others are other names of these. */
export function highlighted(code: string, language: string): string {
	if (highlighter.getLanguage(language) === undefined) return escaped(code);
	return highlighter.highlight(code, { language, ignoreIllegals: true }).value;
}
