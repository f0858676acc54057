import type { Plugin } from "vite";

/** A part of a syntax tree, with its place in the text. */
interface Node {
	readonly type: string;
	readonly start: number;
	readonly end: number;
}
interface Catalog extends Node {
	readonly callee: Node & { readonly name?: string };
	readonly arguments: readonly (Node & {
		readonly properties?: readonly { readonly key: { readonly name?: string }; readonly value: Node }[];
	})[];
}

const isNode = (value: unknown): value is Node =>
	typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";

/** The calls of `texts({ en, es })` in a tree, from its outside in. */
function* catalogsIn(node: Node): Generator<Catalog> {
	if (node.type === "CallExpression" && (node as Catalog).callee.name === "texts") yield node as Catalog;
	for (const value of Object.values(node)) {
		for (const child of [value].flat()) if (isNode(child)) yield* catalogsIn(child);
	}
}

/** Leaves one language in the files of a build: of `texts({ en, es })` its part alone remains. */
export const oneLanguage = (language: string): Plugin => ({
	name: "one-language",
	apply: "build",
	enforce: "post",
	transform: {
		filter: { code: "texts(" },
		handler(code) {
			let rest = code;
			// From the end on, so that places before it stay what they are.
			for (const {
				start,
				end,
				arguments: [catalog],
			} of [...catalogsIn(this.parse(code))].reverse()) {
				const part = catalog?.properties?.find(({ key }) => key.name === language)?.value;
				if (part === undefined) this.error(`texts() without ${language}`, start);
				rest = `${rest.slice(0, start)}(${rest.slice(part.start, part.end)})${rest.slice(end)}`;
			}
			return rest === code ? null : { code: rest, map: null };
		},
	},
});
