import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { count, country, exact, percent, signedPercent, signedPoints } from "../../lib/format.ts";
import { Button, buttonClass } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { changeText } from "../../ui/change/change.tsx";
import { changeOf } from "../../ui/change/change-of.ts";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { Scroller } from "../../ui/scroller/scroller.tsx";
import { ScreenHead, useSite } from "../site/index.ts";
import styles from "./insights.module.css";
import { t } from "./report-texts.ts";
import { type Report, reportQuery } from "./use-reports.ts";

const kinds = { count: "count", percent: "rate", currency: "money" } as const;
const percentText = (change: number | null): string => (change === null ? "–" : signedPercent(change));

/** One report, to be read and printed. */
export function ReportPage() {
	const site = useSite();
	const { report: id = "" } = useParams({ strict: false }) as { readonly report?: string };
	const report = useQuery(reportQuery(site.id, id));
	return (
		<>
			<ScreenHead title={report.data?.period_label ?? t.title}>
				<span className={styles.buttons}>
					<Link to="/sites/$id/insights/reports" params={{ id: site.id }} className={buttonClass()}>
						{t.title}
					</Link>{" "}
					<Button onClick={() => window.print()}>{t.print}</Button>
				</span>
			</ScreenHead>
			<Loaded query={report} isEmpty={(data) => data.key_metrics === null} empty={<p>{t.nothing}</p>}>
				{(data) => <ReportParts report={data} currency={site.currency} />}
			</Loaded>
		</>
	);
}

interface PartProps {
	readonly report: Report;
	readonly currency: string;
}

const ReportParts = (props: PartProps) => (
	<article className={styles.report}>
		<Card label={t.takeaways} title={t.takeaways}>
			<p>{props.report.executive_summary}</p>
			<ul>
				{props.report.key_takeaways.map((sentence) => (
					<li key={sentence}>{sentence}</li>
				))}
			</ul>
		</Card>
		<Actions {...props} />
		<Figures {...props} />
		<Channels {...props} />
		<Funnel {...props} />
		<Audience {...props} />
	</article>
);

function Actions({ report: { action_items: items } }: PartProps) {
	if (items.length === 0) return null;
	return (
		<Card label={t.todo} title={t.todo}>
			<ul>
				{items.map((item) => (
					<li key={item.related_insight ?? item.title}>
						<strong>{item.title}</strong>
						<br />
						{item.description}
					</li>
				))}
			</ul>
		</Card>
	);
}

function Figures({ report: { key_metrics: figures }, currency }: PartProps) {
	if (figures === null) return null;
	const rows = (Object.keys(t.metrics) as (keyof typeof figures)[]).map((name) => {
		const { current, previous, change_pct: change, unit } = figures[name];
		const kind = kinds[unit];
		const shown = (value: number) => exact(value, kind, currency);
		const movement =
			change === null && previous !== null
				? changeText(changeOf(current, previous, kind), currency)
				: percentText(change);
		return [t.metrics[name], shown(current), previous === null ? "–" : shown(previous), movement];
	});
	return (
		<Card label={t.figures} title={t.figures}>
			<ReportTable label={t.figures} heads={[t.figure, t.now, t.before, t.change]} rows={rows} />
		</Card>
	);
}

function Channels({ report: { channel_performance: performance }, currency }: PartProps) {
	if (performance === null || performance.channels.length === 0) return null;
	const rows = performance.channels.map((one) => [
		one.channel,
		count(one.entrances),
		percentText(one.change_pct),
		count(one.conversions),
		exact(one.revenue, "money", currency),
	]);
	return (
		<Card label={t.channels} title={t.channels}>
			<ReportTable label={t.channels} heads={[t.channel, t.visits, t.change, t.conversions, t.revenue]} rows={rows} />
		</Card>
	);
}

function Funnel({ report: { funnel_health: funnel } }: PartProps) {
	if (funnel === null) return null;
	const rows = funnel.steps.map((step, index) => [
		step.name,
		count(step.count),
		index === 0 ? "–" : percent(step.drop_off_pct),
	]);
	return (
		<Card label={t.funnel} title={t.funnel}>
			<ReportTable label={t.funnel} heads={[t.step, t.count, t.lost]} rows={rows} />
			{funnel.recommendation && <p>{funnel.recommendation}</p>}
		</Card>
	);
}

function Audience({ report: { audience_insights: audience } }: PartProps) {
	if (audience === null) return null;
	const lists = [
		[t.devices, audience.devices],
		[t.countries, audience.countries],
		[t.browsers, audience.browsers],
	] as const;
	return (
		<Card label={t.audience} title={t.audience}>
			{lists.map(([label, list]) => (
				<ReportTable
					key={label}
					label={label}
					heads={[label, t.share, t.points]}
					rows={list.map(({ value, share, change }) => [
						label === t.countries ? country(value) : value,
						exact(share, "rate"),
						change === null ? "–" : signedPoints(change),
					])}
				/>
			))}
		</Card>
	);
}

interface ReportTableProps {
	readonly label: string;
	readonly heads: readonly string[];
	/** The first cell of each names the row. */
	readonly rows: readonly (readonly string[])[];
}

/** A table of a report. */
const ReportTable = ({ label, heads, rows }: ReportTableProps) => (
	<Scroller label={label} className={styles.wide}>
		<table aria-label={label}>
			<thead>
				<tr>
					{heads.map((head) => (
						<th key={head} scope="col">
							{head}
						</th>
					))}
				</tr>
			</thead>
			<tbody>
				{rows.map(([name = "", ...cells]) => (
					<tr key={name}>
						<td>{name}</td>
						{cells.map((cell, index) => (
							<td key={heads[index + 1]}>{cell}</td>
						))}
					</tr>
				))}
			</tbody>
		</table>
	</Scroller>
);
