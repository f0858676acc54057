import { useQuery, useQueryClient } from "@tanstack/react-query";
import { SlidersHorizontal } from "lucide-react";
import { useState } from "react";
import { type Answer, call } from "../../api/client.ts";
import { may } from "../../api/may.ts";
import { read } from "../../api/read.ts";
import { daysBetween, todayIn } from "../../lib/days.ts";
import { asFailure } from "../../lib/failure.ts";
import { count, day, exact, figure } from "../../lib/format.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Histogram } from "../../ui/charts/histogram.tsx";
import { type Column, DataTable } from "../../ui/data-table/data-table.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Field } from "../../ui/field/field.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import page from "../../ui/page/page.module.css";
import { toast } from "../../ui/toast/toast.tsx";
import { CopyAs } from "../copy-as/index.ts";
import { daysOf, ScreenHead, sitesQuery, useSite, useSiteSearch } from "../site/index.ts";
import styles from "./bots.module.css";
import { flagWeights } from "./flags.ts";
import { scoreColumns, thresholdAt } from "./scores.ts";
import { SessionsCard } from "./sessions-card.tsx";
import { t } from "./texts.ts";

/** Totals of bots are kept for so many days. */
const mostDays = 90;

/** Hits detected as bots, with the reasons. */
export function BotsScreen() {
	const site = useSite();
	const search = useSiteSearch();
	const today = todayIn(site.timezone);
	const { from } = daysOf(search, today);
	const query = { account_id: site.id, days: Math.max(1, Math.min(mostDays, daysBetween(from, today))) };
	const overview = useQuery(read("GET /bot-stats/overview", { query }));
	return (
		<>
			<ScreenHead title={t.title}>
				{overview.data && (
					<p className={styles.days}>
						{day(overview.data.period_start)} – {day(overview.data.period_end)}
					</p>
				)}
			</ScreenHead>
			<div className="column-12">
				<Loaded query={overview}>
					{(data) => (
						<div className="column-12">
							<ScoresCard distribution={data.distribution} />
							<div className={styles.pair}>
								<TrendCard trend={data.daily_trend} asked={query} />
								<FlagsCard flags={data.top_flags} asked={query} />
							</div>
						</div>
					)}
				</Loaded>
				<SessionsCard />
				<RefusedCard />
			</div>
		</>
	);
}

type FlagRow = Answer<"GET /bot-stats/overview">["top_flags"][number];

const columns: readonly Column<FlagRow>[] = [
	{
		key: "flag",
		label: t.flag,
		cell: ({ flag, description }) => (
			<span className={styles.wrap} title={description}>
				{t.names[flag]}
			</span>
		),
	},
	{ key: "weight", label: t.weight, isNumber: true, cell: ({ flag }) => `+${flagWeights[flag]}` },
	{ key: "count", label: t.hits, isNumber: true, cell: (row) => count(row.count) },
];

interface FlagsCardProps {
	readonly flags: readonly FlagRow[];
	/** Input of their query. */
	readonly asked: object;
}

/** Bot signals in hits, with the points that each adds to a score. */
const FlagsCard = ({ flags, asked }: FlagsCardProps) => (
	<Card
		title={t.flags}
		label={t.flags}
		actions={<CopyAs icon about={t.flags} route="GET /bot-stats/overview" params={asked} rows={() => flags} />}
	>
		{flags.length === 0 ? (
			<p className={styles.about}>{t.noFlags}</p>
		) : (
			<DataTable label={t.flags} columns={columns} rows={flags} rowKey={({ flag }) => flag} />
		)}
	</Card>
);

type Point = Answer<"GET /bot-stats/overview">["daily_trend"][number];

interface TrendCardProps {
	readonly trend: readonly Point[];
	/** Input of their query. */
	readonly asked: object;
}

/** Suspicious hits of each day. */
function TrendCard({ trend, asked }: TrendCardProps) {
	const most = Math.max(...trend.map(({ suspicious_hits: hits }) => hits), 1);
	const highest = trend.findIndex(({ suspicious_hits: hits }) => hits === most);
	const last = trend.length - 1;
	const named = new Set([0, Math.round(last / 2), last]);
	return (
		<Card
			title={t.trend}
			label={t.trend}
			actions={<CopyAs icon about={t.trend} route="GET /bot-stats/overview" params={asked} rows={() => trend} />}
		>
			<Histogram
				label={t.trend}
				columns={trend.map(({ date, suspicious_hits: hits, total_hits: total }, at) => ({
					key: date,
					label: named.has(at) ? day(date) : undefined,
					height: hits / most,
					marked: 1,
					figure: at === highest ? count(hits) : "",
					title: t.day(day(date), count(hits), count(total)),
				}))}
			/>
		</Card>
	);
}

type Distribution = Answer<"GET /bot-stats/overview">["distribution"];

/** How suspicious hits are, and which of them the threshold leaves out. */
function ScoresCard({ distribution }: { readonly distribution: Distribution }) {
	const site = useSite();
	const threshold = site.bot_threshold;
	const [isOpen, setOpen] = useState(false);
	return (
		<Card
			title={t.scores}
			label={t.scores}
			actions={
				may("PATCH /sites/{id}", site.role) && (
					<Button small onClick={() => setOpen(true)}>
						<SlidersHorizontal size={16} aria-hidden="true" /> {t.change}
					</Button>
				)
			}
		>
			{distribution.total_hits === 0 ? (
				<p className={styles.about}>{t.empty}</p>
			) : (
				<>
					<p>
						{t.summary(exact(distribution.suspicious_percentage, "rate"), count(distribution.total_hits), threshold)}
					</p>
					<Scores distribution={distribution} threshold={threshold} />
					<p className={styles.about}>
						{t.about} {t.logarithm}
					</p>
				</>
			)}
			{isOpen && (
				<Dialog title={t.change} onClose={() => setOpen(false)}>
					<ThresholdEditor onDone={() => setOpen(false)} />
				</Dialog>
			)}
		</Card>
	);
}

const Scores = ({ distribution, threshold }: { readonly distribution: Distribution; readonly threshold: number }) => (
	<Histogram
		label={t.chart}
		line={{ at: thresholdAt(threshold), label: t.lineAt(threshold) }}
		columns={scoreColumns(distribution, threshold).map(({ from, to, count: hits, height, isLeftOut, width }) => ({
			key: String(from),
			label: from === to ? String(from) : `${from}–${to}`,
			height,
			marked: isLeftOut ? 1 : 0,
			width,
			figure: figure(hits, "count"),
			title: t.column(from, to, count(hits), isLeftOut),
		}))}
	/>
);

/** The score above which hits are left out. */
function ThresholdEditor({ onDone }: { readonly onDone: () => void }) {
	const site = useSite();
	const queries = useQueryClient();
	const before = site.bot_threshold;
	const save = async (threshold: number) => {
		await call("PATCH /sites/{id}", { path: { id: site.id }, body: { bot_threshold: threshold } });
		await queries.invalidateQueries({ queryKey: sitesQuery.queryKey });
	};
	const undo = () => void save(before).catch((error: unknown) => toast(asFailure(error).message));
	const form = useForm(async (values) => {
		const threshold = Number(textOf(values, "bot_threshold"));
		await save(threshold);
		toast(t.saved(threshold), { label: t.undo, run: undo });
		onDone();
	});
	return (
		<Form form={form} className={page.form}>
			<Field
				label={t.field}
				hint={t.effect}
				name="bot_threshold"
				type="number"
				min={1}
				max={100}
				step={1}
				required
				defaultValue={before}
			/>
			<Submit />
		</Form>
	);
}

type Reason = Answer<"GET /sites/{id}/pixel/rejections">["reasons"][number];

/** As far back as refused hits are remembered. */
const minutes = 1_440;

const refusedColumns: readonly Column<Reason>[] = [
	{ key: "reason", label: t.reason, cell: ({ reason }) => t.reasons[reason] ?? reason },
	{ key: "count", label: t.hits, isNumber: true, cell: (row) => count(row.count) },
	{
		key: "origins",
		label: t.origins,
		cell: ({ origins }) => (
			<span className={styles.wrap}>
				{origins.map(({ origin, count: hits }) => `${origin} (${count(hits)})`).join(", ") || "–"}
			</span>
		),
	},
];

/** Hits that were not even scored: why, and where they came from. */
function RefusedCard() {
	const { id } = useSite();
	const input = { path: { id }, query: { minutes } };
	const refused = useQuery(read("GET /sites/{id}/pixel/rejections", input));
	return (
		<Card title={t.refused} label={t.refused}>
			<p className={styles.about}>{t.refusedAbout}</p>
			<Loaded
				query={refused}
				isEmpty={({ rejected, available }) => rejected === 0 || !available}
				empty={<p>{refused.data?.available === false ? t.unavailable : t.noRefused}</p>}
			>
				{({ accepted, rejected, reasons }) => (
					<>
						<p>{t.accepted(count(accepted), rejected, count(rejected))}</p>
						<DataTable
							label={t.refused}
							columns={refusedColumns}
							rows={reasons.filter(({ counted }) => !counted)}
							rowKey={({ reason }) => reason}
						/>
					</>
				)}
			</Loaded>
		</Card>
	);
}
