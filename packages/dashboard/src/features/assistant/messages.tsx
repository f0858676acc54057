import { Fragment } from "react";
import { time } from "../../lib/format.ts";
import { Card } from "../../ui/card/card.tsx";
import { type Column, DataTable } from "../../ui/data-table/data-table.tsx";
import { useSite } from "../site/index.ts";
import styles from "./assistant.module.css";
import { DrawnChart } from "./drawn-chart.tsx";
import { HowAnswered } from "./how-answered.tsx";
import { type Block, readMarked, type Span } from "./marked.ts";
import { numbered } from "./numbered.ts";
import type { Message } from "./queries.ts";
import { t } from "./texts.ts";
import { cellText, fieldName, titleName } from "./words.ts";

/** All messages of a conversation, oldest first. */
export const Messages = ({ messages }: { readonly messages: readonly Message[] }) => (
	<ol className={styles.messages} aria-label={t.conversation}>
		{numbered(messages).map(({ key, item: message }) => (
			<li key={key}>
				{message.role === "user" ? <Question text={message.content} /> : <Answered message={message} />}
			</li>
		))}
	</ol>
);

/** A question as it was asked. */
export const Question = ({ text }: { readonly text: string }) => (
	<p className={styles.question}>
		<span className="visually-hidden">{t.you}: </span>
		{text}
	</p>
);

function Answered({ message }: { readonly message: Message }) {
	const { content, charts, tables, tools_used: tools, timestamp } = message;
	return (
		<article className={styles.answer} aria-label={t.answer}>
			<Card>
				<AnswerText text={content} />
				<p className={styles.muted}>{time(timestamp)}</p>
			</Card>
			{(charts.length > 0 || tables.length > 0) && (
				<div className={styles.drawn}>
					{numbered(charts).map(({ key, item }) => (
						<DrawnChart key={key} chart={item} />
					))}
					{numbered(tables).map(({ key, item }) => (
						<DrawnTable key={key} table={item} />
					))}
				</div>
			)}
			<HowAnswered tools={tools} />
		</article>
	);
}

/** Text of the model. It runs and loads nothing. */
const AnswerText = ({ text }: { readonly text: string }) => (
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

type Table = Message["tables"][number];
type Row = Table["rows"][number];

/** A table that the service made of a report. */
function DrawnTable({ table }: { readonly table: Table }) {
	const { currency } = useSite();
	const title = titleName(table.title);
	// The headline figures stand below each other, each named by its row.
	const isFigures = table.columns[0] === "metric";
	const textOf = (row: Row, at: number) => {
		if (isFigures && at === 0) return fieldName(String(row[0]));
		const field = isFigures ? String(row[0]) : (table.columns[at] ?? "");
		return cellText(field, row[at] ?? null, currency);
	};
	const columns = table.columns.map(
		(name, at): Column<Row> => ({
			key: name,
			label: fieldName(name),
			isNumber: at > 0 && table.rows.some((row) => typeof row[at] === "number"),
			cell: (row) => textOf(row, at),
		}),
	);
	return (
		<Card title={title}>
			<DataTable label={title} columns={columns} rows={table.rows} rowKey={(_, at) => String(at)} />
		</Card>
	);
}
