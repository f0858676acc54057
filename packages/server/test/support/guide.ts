import assert from "node:assert/strict";
import { parseArgs } from "node:util";

/** A block of a guide: its language, its text, and the line where it begins. */
interface GuideBlock {
	readonly language: string;
	readonly text: string;
	readonly line: number;
}

type Variables = Readonly<Record<string, string>>;

/** The fenced blocks of a Markdown text, in order. */
export function guideBlocks(markdown: string): GuideBlock[] {
	return [...markdown.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map((match) => ({
		language: match[1] ?? "",
		text: match[2] ?? "",
		line: markdown.slice(0, match.index).split("\n").length,
	}));
}

/** Commands of a shell block; a backslash at the end of a line, or an open quote, continues a command. */
export function commandsOf(block: GuideBlock): string[] {
	const commands: string[] = [];
	let open = "";
	for (const line of block.text.split("\n")) {
		open += line;
		if (open.endsWith("\\")) open = `${open.slice(0, -1)} `;
		else if ((open.match(/'/g) ?? []).length % 2 === 1) open += "\n";
		else if (open.trim() !== "") {
			commands.push(open);
			open = "";
		}
	}
	return commands;
}

type GuideStep = ReturnType<typeof stepsOf>[number];

/** The commands of all shell blocks of a guide, in order; the last request of a block has the answer that the guide shows below it. */
export function stepsOf(blocks: readonly GuideBlock[], file: string) {
	return blocks.flatMap((block, index) => {
		if (block.language !== "sh") return [];
		const next = blocks[index + 1];
		const shown = next?.language === "json" || next?.language === "csv" ? next : undefined;
		const commands = commandsOf(block);
		const last = commands.findLastIndex((command) => command.startsWith("curl "));
		return commands.map((command, position) => ({
			title: `${file}:${block.line} ${command.replace(/\s+/g, " ").slice(0, 100)}`,
			line: block.line,
			command,
			shown: position === last ? shown : undefined,
		}));
	});
}

/**
 * Sends the request of a curl line, to where `at` leads its address. The answer must be the one that is shown, or a success where none is.
 * Answers its body.
 */
export async function giveStep(
	{ title, command, shown }: GuideStep,
	variables: Variables,
	at: (url: string) => string = (url) => url,
): Promise<string> {
	const { url, method, headers, body } = parseCurl(command, variables);
	const response = await fetch(at(url), { method, headers, ...(body !== undefined && { body }) });
	const text = await response.text();
	if (shown?.language === "csv") {
		assert.equal(text.replaceAll("\r\n", "\n"), shown.text, title);
	} else if (shown !== undefined) {
		const expected: unknown = JSON.parse(shown.text);
		assert.equal(differenceFrom(expected, JSON.parse(text)), undefined, `${title}, line ${shown.line}`);
		assert.equal(response.status >= 400, "error" in Object(expected), `${title}: ${response.status}`);
	} else assert.ok(response.status < 300, `${response.status} ${text}`);
	return text;
}

/** Reads a curl line as a shell would: quotes and `$NAME`; throws for an option that it does not know. */
function parseCurl(command: string, variables: Variables) {
	const [program, ...args] = shellWords(command, variables);
	if (program !== "curl") throw new Error(`not a curl line: ${command}`);
	const options = {
		request: { type: "string", short: "X" },
		header: { type: "string", short: "H", multiple: true },
		data: { type: "string", short: "d" },
	} as const;
	const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
	const [url, ...others] = positionals;
	if (url === undefined || others.length > 0) throw new Error(`not one address in: ${command}`);
	const { data: body, request: method = body === undefined ? "GET" : "POST", header = [] } = values;
	const headers: Record<string, string> = Object.assign({}, ...header.map(headerOf));
	if (body !== undefined) headers["content-type"] ??= "application/x-www-form-urlencoded";
	return { method, url, headers, body };
}

function headerOf(text: string): Record<string, string> {
	const colon = text.indexOf(":");
	return { [text.slice(0, colon).toLowerCase()]: text.slice(colon + 1).trim() };
}

function shellWords(command: string, variables: Variables): string[] {
	const value = (name: string) => {
		const known = variables[name];
		if (known === undefined) throw new Error(`$${name} is not set in: ${command}`);
		return known;
	};
	const filled = (text: string) => text.replace(/^"|"$/g, "").replace(/\$(\w+)/g, (_, name: string) => value(name));
	const words = command.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
	return words.map((word) => {
		const parts = word.match(/'[^']*'|"[^"]*"|[^'"]+/g) ?? [];
		return parts.map((part) => (part.startsWith("'") ? part.slice(1, -1) : filled(part))).join("");
	});
}

const MORE = "…";

/**
 * How an answer differs from what a guide shows; undefined when it does not. In what is shown, `…` at the end of a text
 * stands for any rest, as the last element of a list for any further ones, and as a field for any further fields.
 */
export function differenceFrom(shown: unknown, actual: unknown, at = "answer"): string | undefined {
	if (Array.isArray(shown)) return differenceOfLists(shown, actual, at);
	if (typeof shown === "object" && shown !== null) return differenceOfFields(shown, actual, at);
	const isSame =
		typeof shown === "string" && shown.endsWith(MORE)
			? String(actual).startsWith(shown.slice(0, -1))
			: Object.is(shown, actual);
	return isSame ? undefined : `${at} is ${JSON.stringify(actual)}, shown ${JSON.stringify(shown)}`;
}

function differenceOfLists(shown: readonly unknown[], actual: unknown, at: string): string | undefined {
	if (!Array.isArray(actual)) return `${at} is no list`;
	const elements = shown.filter((element, index) => element !== MORE || index < shown.length - 1);
	const isCut = elements.length < shown.length;
	if (isCut ? actual.length <= elements.length : actual.length !== elements.length) {
		return `${at} has ${actual.length} elements, shown ${shown.length}`;
	}
	return first(elements.map((element, index) => differenceFrom(element, actual[index], `${at}[${index}]`)));
}

function differenceOfFields(shown: object, actual: unknown, at: string): string | undefined {
	if (typeof actual !== "object" || actual === null || Array.isArray(actual)) return `${at} is no object`;
	const [fields, expected] = [new Map(Object.entries(actual)), new Map(Object.entries(shown))];
	const isCut = expected.delete(MORE);
	const left = [...fields.keys()].filter((name) => !expected.has(name));
	if (isCut ? left.length === 0 : left.length > 0) return `${at} has these fields left: ${left}`;
	return first([...expected].map(([name, value]) => differenceFrom(value, fields.get(name), `${at}.${name}`)));
}

const first = (differences: readonly (string | undefined)[]) => differences.find((text) => text !== undefined);
