import { Fragment } from "react";
import { copy } from "../../lib/clipboard.ts";
import { exact, figure, type Kind, time } from "../../lib/format.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { BarChart } from "../../ui/charts/bar-chart.tsx";
import { LineChart } from "../../ui/charts/line-chart.tsx";
import { type Column, DataTable } from "../../ui/data-table/data-table.tsx";
import { Item, Items } from "../../ui/items/items.tsx";
import { toast } from "../../ui/toast/toast.tsx";
import { type Dimension, dimensionLabels, metrics, useSite, valueName } from "../site/index.ts";
import styles from "./assistant.module.css";
import { type Block, readMarked, type Span } from "./marked.ts";
import type { Message } from "./queries.ts";
import { t } from "./texts.ts";
import { mcpCall, mcpCurl } from "./tool-call.ts";

/** Items with keys for React; messages never change their position. */
const numbered = <T,>(items: readonly T[]) => items.map((item, at) => ({ key: String(at), item }));

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
				<p className="muted">{time(timestamp)}</p>
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

type Tool = Message["tools_used"][number];

/** The reports that were read for an answer, for asking them oneself. */
function HowAnswered({ tools }: { readonly tools: readonly Tool[] }) {
	if (tools.length === 0) return <p className="muted">{t.howNone}</p>;
	return (
		<details className={styles.how}>
			<summary>
				{t.how} ({tools.length})
			</summary>
			<Items label={t.how}>
				{numbered(tools).map(({ key, item }) => (
					<ToolItem key={key} tool={item} />
				))}
			</Items>
		</details>
	);
}

function ToolItem({ tool }: { readonly tool: Tool }) {
	const site = useSite();
	const take = (text: string) =>
		void copy(text).then(
			() => toast(t.copied),
			() => toast(t.copyFailed),
		);
	return (
		<Item
			title={tool.tool_name}
			state={tool.success ? undefined : { text: t.refused, tone: "bad" }}
			facts={
				<>
					<code className={styles.given}>{JSON.stringify(tool.arguments)}</code>{" "}
					{exact(tool.duration_ms / 1000, "ratio")} s
				</>
			}
			actions={
				tool.success && (
					<>
						<Button small onClick={() => take(mcpCall(tool, site.id))}>
							{t.copyMcp}
						</Button>
						<Button small onClick={() => take(mcpCurl(tool, site.id, location.origin))}>
							{t.copyCurl}
						</Button>
					</>
				)
			}
		/>
	);
}

type Cell = string | number | boolean | null;

/** Names that reports give to what the dashboard calls otherwise. */
const dimensionOf: Readonly<Record<string, Dimension>> = {
	channel: "channel_group",
	referrer: "referrer_domain",
	device: "device_type",
	by_device: "device_type",
	by_browser: "browser",
	by_os: "os",
	country_name: "country",
	event_type: "conversion_type",
};
const figures: Readonly<Record<string, { readonly label: string; readonly kind: Kind }>> = metrics;
const money = new Set(["avg_value"]);
const rates = new Set(["percentage", "share", "explained"]);

const dimensionNamed = (name: string): Dimension | undefined =>
	dimensionOf[name] ?? (Object.hasOwn(dimensionLabels, name) ? (name as Dimension) : undefined);

/** A field of a report in words; as the API calls it where the dashboard has none. */
function fieldName(name: string): string {
	if (name === "metric") return t.figure;
	if (name === "value") return t.value;
	const known = Object.hasOwn(figures, name) ? figures[name] : undefined;
	const dimension = dimensionNamed(name);
	return known?.label ?? (dimension ? dimensionLabels[dimension] : name.replaceAll("_", " "));
}

/** How numbers of a field are written. */
const kindOf = (name: string): Kind =>
	(Object.hasOwn(figures, name) ? figures[name]?.kind : undefined) ??
	(money.has(name) ? "money" : rates.has(name) ? "rate" : "ratio");

/** A title given by the service, in words of the dashboard: the report and its subject. */
function titleName(title: string): string {
	const [report = "", ...rest] = title.split(": ");
	const named = t.reports[report] ?? report;
	return rest.length === 0 ? named : `${named}: ${fieldName(rest.join(": "))}`;
}

/** A cell in words. */
function cellText(field: string, value: Cell, currency: string): string {
	if (typeof value === "number") {
		if (dimensionNamed(field) !== undefined) return valueName(field as Dimension, value);
		return Number.isInteger(value) && kindOf(field) === "ratio"
			? exact(value, "count")
			: exact(value, kindOf(field), currency);
	}
	if (typeof value === "boolean" || value === null) return value === null ? "–" : String(value);
	const dimension = dimensionNamed(field);
	return dimension === undefined || field === "country_name" ? value : valueName(dimension, value);
}

type Chart = Message["charts"][number];

/** A chart that the service made of a report. */
function DrawnChart({ chart }: { readonly chart: Chart }) {
	const title = titleName(chart.title);
	return (
		<Card title={chart.type === "line" ? title : `${title} · ${fieldName(chart.y_key)}`}>
			<div className={styles.chart}>
				{chart.type === "line" ? <Line chart={chart} title={title} /> : <Bars chart={chart} title={title} />}
			</div>
		</Card>
	);
}

interface Titled {
	readonly chart: Chart;
	readonly title: string;
}

const numberOf = (value: unknown): number => (typeof value === "number" ? value : 0);

function Bars({ chart: { data, x_key: x, y_key: y }, title }: Titled) {
	const { currency } = useSite();
	const kind = kindOf(y);
	return (
		<BarChart
			label={`${title}, ${fieldName(y)}`}
			rows={data.map((row, at) => ({
				key: String(at),
				label: cellText(x, row[x] ?? null, currency),
				values: [{ value: numberOf(row[y]), text: figure(numberOf(row[y]), kind, currency) }],
			}))}
		/>
	);
}

function Line({ chart: { data, x_key: x, y_key: y }, title }: Titled) {
	const { currency } = useSite();
	const kind = kindOf(y);
	const pointText = (at: number) => {
		const value = String(data[at]?.[x] ?? "");
		// Hours come with their day, in one text.
		return /^\d{4}-\d\d-\d\d$/.test(value) ? cellText("date", value, currency) : value;
	};
	const valueText = (at: number) => cellText(y, data[at]?.[y] ?? null, currency);
	return (
		<LineChart
			label={title}
			count={data.length}
			lines={[{ key: y, look: "main", values: data.map((row) => numberOf(row[y])) }]}
			axis={{ text: (value) => figure(value, kind, currency), whole: kind === "count" }}
			pointText={pointText}
			saidOf={(at) => `${pointText(at)}: ${fieldName(y)} ${valueText(at)}`}
			readout={(at) => (
				<p>
					{pointText(at)}: <strong>{valueText(at)}</strong>
				</p>
			)}
		/>
	);
}
