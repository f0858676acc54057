import { Fragment } from "react";
import styles from "./assistant.module.css";
import { type Block, readMarked, type Span } from "./marked.ts";
import { numbered } from "./numbered.ts";

/** Text of the model. It runs and loads nothing. */
export const AnswerText = ({ text }: { readonly text: string }) => (
	<div className={styles.text}>
		{numbered(readMarked(text)).map(({ key, item }) => (
			<Part key={key} block={item} />
		))}
	</div>
);

function Part({ block }: { readonly block: Block }) {
	if (block.kind === "code") return <pre>{block.text}</pre>;
	if (block.kind === "paragraph") return <p>{spansOf(block.spans)}</p>;
	if (block.kind === "heading") {
		return (
			<p>
				<strong>{spansOf(block.spans)}</strong>
			</p>
		);
	}
	const List = block.isOrdered ? "ol" : "ul";
	return (
		<List>
			{numbered(block.items).map(({ key, item }) => (
				<li key={key}>{spansOf(item)}</li>
			))}
		</List>
	);
}

const spansOf = (spans: readonly Span[]) => numbered(spans).map(({ key, item }) => <Words key={key} span={item} />);

function Words({ span: { look, text } }: { readonly span: Span }) {
	if (look === "strong") return <strong>{text}</strong>;
	if (look === "emphasis") return <em>{text}</em>;
	if (look === "code") return <code>{text}</code>;
	return <Fragment>{text}</Fragment>;
}
