import GithubSlugger from "github-slugger";
import { Marked, type Renderer, type RendererObject, type Tokens } from "marked";
import { highlighted } from "./highlight.ts";
import { escaped } from "./html.ts";
import { targetOf } from "./links.ts";
import { type Picture, pictureOf } from "./picture.ts";
import type { Source } from "./read-pages.ts";
import { type Section, sectionsOf } from "./sections.ts";

/** A heading of a page. */
export interface Heading {
	readonly id: string;
	/** Without markup. */
	readonly text: string;
	readonly depth: number;
}

/** A page without what stands around it. */
export interface Rendered extends Source {
	readonly title: string;
	readonly html: string;
	readonly headings: readonly Heading[];
	readonly sections: readonly Section[];
	/** Addresses of this service that it leads to. */
	readonly links: readonly string[];
	/** Broken links. */
	readonly dead: readonly string[];
	readonly pictures: readonly Picture[];
}

/** Makes HTML of a page. `pages`: addresses of all pages by their files. */
export function renderPage(source: Source, pages: ReadonlyMap<string, string>): Rendered {
	const slugger = new GithubSlugger();
	const headings: Heading[] = [];
	const links: string[] = [];
	const dead: string[] = [];
	const pictures: Picture[] = [];
	const marked = new Marked({ gfm: true });
	const renderer: RendererObject = {
		heading({ tokens, depth }) {
			const text = plain(this.parser.parseInline(tokens, this.parser.textRenderer));
			const id = slugger.slug(text);
			headings.push({ id, text, depth });
			const inner = this.parser.parseInline(tokens);
			if (depth === 1) return `<h1 id="${id}">${inner}</h1>\n`;
			const anchor = `<a class="anchor" href="#${id}" aria-label="Link to ${escaped(text)}">#</a>`;
			return `<h${depth} id="${id}">${inner} ${anchor}</h${depth}>\n`;
		},
		link({ href, tokens }) {
			const inner = this.parser.parseInline(tokens);
			const target = targetOf(href, source.file, pages);
			if (target.kind === "address") {
				if (!target.isOutside) links.push(target.href);
				return `<a href="${escaped(target.href)}"${target.isOutside ? ' rel="noreferrer"' : ""}>${inner}</a>`;
			}
			if (target.kind === "dead") dead.push(href);
			return target.kind === "file" ? `<span title="${escaped(target.file)}, in the sources">${inner}</span>` : inner;
		},
		image({ href, text }) {
			const { html, files } = pictureOf(href, source.file, text);
			pictures.push(...files);
			return html;
		},
		// A picture is a block of its own.
		paragraph({ tokens }) {
			const inner = this.parser.parseInline(tokens);
			return tokens.length === 1 && tokens[0]?.type === "image" ? inner : `<p>${inner}</p>\n`;
		},
		code: ({ text, lang = "" }) =>
			`<pre class="scroll"><code>${highlighted(text, lang.split(" ")[0] ?? "")}</code></pre>\n`,
		table(token) {
			return `<div class="scroll"><table>${tableHead(this, token)}${tableBody(this, token)}</table></div>\n`;
		},
		// The pages are Markdown alone.
		html: ({ text }) => (text.startsWith("<!--") ? "" : escaped(text)),
	};
	marked.use({ renderer });
	const tokens = marked.lexer(source.markdown);
	const html = marked.parser(tokens);
	const title = headings.find(({ depth }) => depth === 1)?.text ?? source.path;
	return { ...source, title, html, headings, links, dead, pictures, sections: sectionsOf(tokens, headings) };
}

/** Texts come as they stand in HTML. */
const plain = (text: string) =>
	text
		.replaceAll("&lt;", "<")
		.replaceAll("&gt;", ">")
		.replaceAll("&quot;", '"')
		.replaceAll("&#39;", "'")
		.replaceAll("&amp;", "&");

function tableHead({ parser }: Pick<Renderer, "parser">, { header }: Tokens.Table): string {
	const cells = header.map(({ tokens }) => parser.parseInline(tokens));
	// A table whose head says nothing has rows with a name each.
	if (cells.every((cell) => cell === "")) return "";
	return `<thead><tr>${cells.map((cell) => (cell === "" ? "<td></td>" : `<th scope="col">${cell}</th>`)).join("")}</tr></thead>`;
}

function tableBody({ parser }: Pick<Renderer, "parser">, { rows }: Tokens.Table): string {
	const lines = rows.map((row) => row.map(({ tokens }) => `<td>${parser.parseInline(tokens)}</td>`).join(""));
	return `<tbody>${lines.map((line) => `<tr>${line}</tr>`).join("")}</tbody>`;
}
