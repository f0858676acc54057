import { useQuery } from "@tanstack/react-query";
import { Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { type Answer, call } from "../../api/client.ts";
import { may } from "../../api/may.ts";
import { count, exact } from "../../lib/format.ts";
import { viewValue, withView } from "../../lib/view.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Baseline, baselineOf } from "../../ui/change/baseline.ts";
import { Change } from "../../ui/change/change.tsx";
import { type Column, DataTable } from "../../ui/data-table/data-table.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { Pager } from "../../ui/pager/pager.tsx";
import { GoalForm, goalsQuery, kindOfRule, RemoveRule, type Rule } from "../alerts/index.ts";
import { CopyAs } from "../copy-as/index.ts";
import {
	comparedQuery,
	Nothing,
	reportQuery,
	useChangeSearch,
	useReport,
	useSite,
	useSiteSearch,
} from "../site/index.ts";
import { ConversionsCard } from "./conversions-card.tsx";
import styles from "./goals.module.css";
import { GoalsHead } from "./goals-head.tsx";
import { Moved } from "./moved.tsx";
import { SplitList } from "./split-list.tsx";
import { t } from "./texts.ts";
import { Where } from "./where.tsx";

/** Conversions, events and goals. */
export function GoalsScreen() {
	return (
		<>
			<GoalsHead />
			<div className="column-12">
				<ProgressCard />
				<ConversionsCard />
				<EventsCard />
			</div>
		</>
	);
}

/** Numbers to reach, and how far they are. */
function ProgressCard() {
	const site = useSite();
	const [edited, setEdited] = useState<Rule | "new" | "example">();
	const goals = useQuery(goalsQuery(site.id));
	const close = () => setEdited(undefined);
	return (
		<Card
			title={t.goals}
			label={t.goals}
			actions={
				<div className="row-centered">
					{may("POST /alerts/rules", site.role) && (
						<Button small onClick={() => setEdited("new")}>
							<Plus size={16} aria-hidden="true" /> {t.newGoal}
						</Button>
					)}
					<CopyAs
						about={t.goals}
						route="GET /alerts/rules"
						params={{ account_id: site.id, include_inactive: true, include_progress: true }}
						rows={goals.data && (() => goals.data)}
					/>
				</div>
			}
		>
			<Loaded
				query={goals}
				part="progress"
				isEmpty={(all) => all.length === 0}
				empty={
					<>
						<p>{t.noGoals}</p>
						{may("POST /alerts/rules", site.role) && (
							<Button small onClick={() => setEdited("example")}>
								{t.example}
							</Button>
						)}
					</>
				}
			>
				{(all) => (
					<ul className={styles.goals}>
						{all.map((goal) => (
							<Goal key={goal.id} goal={goal} onEdit={() => setEdited(goal)} />
						))}
					</ul>
				)}
			</Loaded>
			{edited && (
				<Dialog title={typeof edited === "string" ? t.newGoal : t.editGoal} onClose={close}>
					<GoalForm
						goal={typeof edited === "string" ? undefined : edited}
						isExample={edited === "example"}
						onDone={close}
					/>
				</Dialog>
			)}
		</Card>
	);
}

interface GoalProps {
	readonly goal: Rule;
	readonly onEdit: () => void;
}

function Goal({ goal, onEdit }: GoalProps) {
	const { currency, role } = useSite();
	const { progress: now, threshold_value: target } = goal;
	const kind = kindOfRule(goal);
	const period = goal.custom_condition?.period ?? "month";
	const isReached = now !== undefined && now >= target;
	return (
		<li className={isReached ? `${styles.goal} ${styles.reached}` : styles.goal}>
			<div className={styles.goalHead}>
				<strong>{goal.name}</strong>
				<div className={styles.goalActions}>
					{isReached && <span className={styles.good}>{t.reached}</span>}
					{may("PATCH /alerts/rules/{id}", role) && (
						<>
							<Button look="quiet" icon small aria-label={t.changeGoal(goal.name)} onClick={onEdit}>
								<Pencil size={14} aria-hidden="true" />
							</Button>
							<RemoveRule rule={goal} name={t.removeGoal(goal.name)}>
								<Trash2 size={14} aria-hidden="true" />
							</RemoveRule>
						</>
					)}
				</div>
			</div>
			<progress className={styles.progress} aria-label={goal.name} max={target} value={Math.min(now ?? 0, target)} />
			<p className={styles.note}>
				<span>
					{!goal.is_active
						? t.off
						: now === undefined
							? t.unknown
							: t.goalOf(exact(now, kind, currency), exact(target, kind, currency))}
				</span>
				<span>{t.periods[period]}</span>
			</p>
		</li>
	);
}

type Row = Answer<"GET /stats/microconversions">["data"][number];

const pageSize = 25;

/** Events by type, and where the chosen type comes from. */
function EventsCard() {
	const site = useSite();
	const search = useSiteSearch();
	const change = useChangeSearch();
	const page = Number(viewValue(search.view, "events") ?? 1) || 1;
	const params = { ...comparedQuery(site.id, search), page, page_size: pageSize };
	const events = useReport("GET /stats/microconversions", params);
	const chosen = viewValue(search.view, "event") ?? events.data?.data[0]?.conversion_type;
	return (
		<Card
			title={t.events}
			label={t.events}
			actions={
				<CopyAs
					about={t.events}
					route="GET /stats/microconversions"
					params={params}
					rows={events.data && (() => events.data.data)}
					sql="asked"
				/>
			}
		>
			<Loaded query={events} part="events" isEmpty={({ total }) => total === 0} empty={<Nothing text={t.noEvents} />}>
				{({ data, total }) => (
					<>
						<Baseline value={baselineOf(events.data)}>
							<EventsTable rows={data} chosen={chosen} />
						</Baseline>
						{total > pageSize && (
							<Pager
								page={page}
								pageSize={pageSize}
								total={total}
								onPage={(next) => change({ view: withView(search.view, "events", [String(next)]) })}
							/>
						)}
						{chosen !== undefined && <Split type={chosen} />}
					</>
				)}
			</Loaded>
		</Card>
	);
}

function EventsTable({ rows, chosen }: { readonly rows: readonly Row[]; readonly chosen: string | undefined }) {
	const { view } = useSiteSearch();
	const change = useChangeSearch();
	const isCompared = rows.some((row) => row.count_prev !== undefined);
	const columns: readonly Column<Row>[] = [
		{
			key: "type",
			label: t.type,
			cell: ({ conversion_type: type }) => (
				<button
					type="button"
					className={styles.type}
					title={t.choose(type)}
					onClick={() => change({ view: withView(view, "event", [type]) })}
				>
					{type}
				</button>
			),
		},
		{
			key: "count",
			label: t.count,
			isNumber: true,
			cell: (row) => (
				<Moved by={isCompared && <Change now={row.count} before={row.count_prev} kind="count" good="neither" />}>
					{count(row.count)}
				</Moved>
			),
		},
	];
	return (
		<DataTable
			label={t.events}
			columns={columns}
			rows={rows}
			rowKey={(row) => row.conversion_type}
			isChosen={(row) => row.conversion_type === chosen}
		/>
	);
}

function Split({ type }: { readonly type: string }) {
	const { id } = useSite();
	const search = useSiteSearch();
	const input = { path: { type }, query: reportQuery(id, search) };
	const split = useQuery({
		queryKey: ["GET /stats/microconversions/{type}", input],
		queryFn: ({ signal }) => call("GET /stats/microconversions/{type}", { ...input, signal }),
	});
	return (
		<Where type={type} of="microconversions">
			<Loaded
				query={split}
				part="split"
				isEmpty={({ totals }) => totals.count === 0}
				empty={<Nothing text={t.noEvents} />}
			>
				{(data) => (
					<div className={styles.split}>
						<SplitList label={t.sources} by={["utm_source", "utm_medium"]} rows={data.by_source} />
						<SplitList label={t.landing} by={["landing_page"]} rows={data.by_landing_page} />
						<SplitList label={t.devices} by={["device_type"]} rows={data.by_device} />
						<SplitList label={t.countries} by={["country"]} rows={data.by_country} />
					</div>
				)}
			</Loaded>
		</Where>
	);
}
