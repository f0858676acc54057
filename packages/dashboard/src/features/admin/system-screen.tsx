import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleAlert, CircleCheck, CircleMinus } from "lucide-react";
import { bytes } from "../../lib/bytes.ts";
import { classes } from "../../lib/classes.ts";
import { ago, count, percent, time } from "../../lib/format.ts";
import { buttonClass } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { DataTable } from "../../ui/data-table/data-table.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { Meter } from "../../ui/meter/meter.tsx";
import { WarningList } from "../warnings/index.ts";
import styles from "./admin.module.css";
import { AdminFrame } from "./admin-frame.tsx";
import { Facts } from "./facts.tsx";
import { kindName } from "./jobs-texts.ts";
import { type System, systemQuery } from "./system-query.ts";
import { stretch, t } from "./system-texts.ts";

/** How the service fares, for who runs it. */
export const SystemScreen = () => (
	<AdminFrame screen="system">
		<Cards />
	</AdminFrame>
);

function Cards() {
	const system = useQuery(systemQuery);
	return (
		<Loaded query={system}>
			{(data) => (
				<div className="column-16">
					<div className={styles.grid}>
						<HealthCard system={data} />
						<ServiceCard system={data} />
						<MemoryCard system={data} />
						<HitsCard system={data} />
						<AccountsCard system={data} />
						<SpoolCard system={data} />
						<MailCard system={data} />
					</div>
					<KindsCard system={data} />
					<SchedulesCard system={data} />
				</div>
			)}
		</Loaded>
	);
}

interface PartProps {
	readonly system: System;
}

type Kind = System["jobs"]["kinds"][number];
type Schedule = System["schedules"][number];

/** Number of jobs by kind; the count of dead jobs links to their errors. */
function KindsCard({ system: { jobs } }: PartProps) {
	const number = (key: "pending" | "running" | "done") =>
		({ key, label: t[key], isNumber: true, cell: (row: Kind) => count(row[key]) }) as const;
	return (
		<Card title={t.jobs}>
			<DataTable
				label={t.jobs}
				rows={jobs.kinds}
				rowKey={({ kind }) => kind}
				columns={[
					{ key: "kind", label: t.kind, cell: ({ kind }) => kindName(kind) },
					number("pending"),
					number("running"),
					{
						key: "failed",
						label: t.failed,
						isNumber: true,
						cell: ({ kind, failed }) =>
							failed === 0 ? (
								count(0)
							) : (
								<Link
									to="/admin/$screen"
									params={{ screen: "jobs" }}
									search={{ view: ["status:failed", `kind:${kind}`] }}
									className={styles.bad}
								>
									{count(failed)}
								</Link>
							),
					},
					number("done"),
				]}
			/>
		</Card>
	);
}

/** Scheduled jobs of the service. */
function SchedulesCard({ system: { schedules } }: PartProps) {
	return (
		<Card title={t.schedules}>
			<DataTable
				label={t.schedules}
				rows={schedules}
				rowKey={({ name }) => name}
				columns={[
					{ key: "name", label: t.name, cell: ({ name }) => kindName(name) },
					{ key: "last", label: t.last, cell: (row) => lastOf(row) },
					{
						key: "next",
						label: t.next,
						cell: ({ next_run_at: next }) => next && <span title={time(next)}>{ago(next)}</span>,
					},
					{ key: "when", label: t.when, cell: ({ cron }) => <code>{cron}</code> },
				]}
			/>
		</Card>
	);
}

function lastOf({ last_run_at: at, last_status: status }: Schedule) {
	if (at === null || status === null) return t.neverRan;
	return (
		<span title={time(at)} className={status === "failed" ? styles.bad : undefined}>
			{ago(at)}, {t.ended[status]}
		</span>
	);
}

interface StorePartProps {
	readonly system: System;
}

/** How many hits are stored, and where. */
function HitsCard({ system: { event_store: events } }: StorePartProps) {
	return (
		<Card title={t.hits}>
			{events === null ? (
				<p className={styles.bad}>{t.storeAway}</p>
			) : (
				<Facts
					rows={[
						...events.tables.map(
							({ table, rows, bytes: size }) => [t.tables[table] ?? table, t.size(count(rows), bytes(size))] as const,
						),
						[t.store, `${t.engines[events.engine]} ${events.version}`],
					]}
				/>
			)}
		</Card>
	);
}

/** How many accounts there are, and where they are kept. */
const AccountsCard = ({ system: { accounts } }: StorePartProps) => (
	<Card title={t.accounts}>
		<Facts
			rows={[
				[t.users, count(accounts.users)],
				[t.organizations, count(accounts.organizations)],
				[t.sites, count(accounts.sites)],
				[t.store, `${t.engines[accounts.engine]} ${accounts.version} · ${bytes(accounts.bytes)}`],
			]}
		/>
	</Card>
);

/** Hits in the spool that are not yet in the event store. */
function SpoolCard({ system: { spool } }: StorePartProps) {
	return (
		<Card title={t.spool}>
			{spool === null ? (
				<p>{t.noSpool}</p>
			) : (
				<>
					<p className={styles.hint}>{t.spoolText}</p>
					<Facts
						rows={[
							[
								t.waiting,
								spool.waiting_bytes === 0
									? t.none
									: `${bytes(spool.waiting_bytes)}, ${t.since(stretch(spool.waiting_seconds))}`,
							],
							[t.room, bytes(spool.max_bytes)],
							[t.refused, count(spool.refused_rows)],
							[t.damaged, count(spool.damaged_files)],
						]}
					/>
				</>
			)}
		</Card>
	);
}

/** Whether mails leave, and why not. */
function MailCard({ system: { mail } }: StorePartProps) {
	return (
		<Card title={t.mail}>
			<Facts
				rows={[
					[t.leaves, t.modes[mail.mode]],
					[t.waiting, mail.waiting === 0 ? t.none : count(mail.waiting)],
					[t.givenUp, mail.given_up === 0 ? t.none : count(mail.given_up)],
					[t.lastError, mail.last_error?.message ?? t.noError],
				]}
			/>
			{mail.last_error !== null && (
				<p className={styles.foot}>
					<Link
						to="/admin/$screen"
						params={{ screen: "jobs" }}
						search={{ view: ["kind:mail"] }}
						className={buttonClass("plain", true)}
					>
						{t.toJobs}
					</Link>
				</p>
			)}
		</Card>
	);
}

interface ProcessPartProps {
	readonly system: System;
}

const tones = { healthy: "good", degraded: "warn", unhealthy: "bad" } as const;

/** How a check went: green is only what was tried. */
function stateOf(
	name: string,
	{ checks, mail, spool }: System,
): readonly [tone: "good" | "warn" | "bad" | "muted", words: string] {
	if (checks[name]?.status !== "healthy") return ["bad", t.fails];
	if (name === "mailer" && mail.last_error !== null && mail.last_error.status !== "failed") return ["warn", t.delayed];
	// Another process collects.
	if (name === "queue" && spool === null) return ["muted", t.untried];
	return ["good", t.works];
}

/** Health status, failed checks and warnings. */
function HealthCard({ system }: ProcessPartProps) {
	const { status, checks, mail, warnings } = system;
	const overall = status === "healthy" && warnings.length > 0 ? "degraded" : status;
	// The outbox is no way out: a warning says so.
	const shown = Object.entries(checks).filter(
		([name, { status: found }]) => !(name === "mailer" && mail.mode === "outbox" && found === "healthy"),
	);
	return (
		<Card
			title={t.health}
			className={styles.wide}
			actions={<span className={classes(styles.status, styles[tones[overall]])}>{t.statuses[overall]}</span>}
		>
			<ul className={styles.checks}>
				{shown.map(([name, { code = "", values = {}, message }]) => {
					const [tone, words] = stateOf(name, system);
					const Sign = tone === "good" ? CircleCheck : tone === "muted" ? CircleMinus : CircleAlert;
					return (
						<li key={name}>
							<Sign size={18} aria-hidden="true" className={styles[tone]} />
							<span>
								<strong>{t.checks[name] ?? name}</strong>: {words}
							</span>
							{message && <p>{t.notes[code]?.(values) ?? message}</p>}
						</li>
					);
				})}
			</ul>
			{warnings.length > 0 && (
				<div className={styles.warnings}>
					<WarningList warnings={warnings} />
				</div>
			)}
		</Card>
	);
}

/** Version of the service and its start. */
function ServiceCard({ system: { process } }: ProcessPartProps) {
	return (
		<Card title={t.service}>
			<Facts
				rows={[
					[t.version, process.version],
					[t.uptime, stretch(process.uptime_seconds)],
					[t.roles, process.roles.join(", ")],
					[t.address, process.root_url],
					[t.environment, process.environment],
					[t.runtime, `Node ${process.node}`],
				]}
			/>
		</Card>
	);
}

/** Use of memory and disk. */
function MemoryCard({ system: { memory, disks } }: ProcessPartProps) {
	return (
		<Card title={t.memory}>
			<div className={styles.part}>
				<Facts
					rows={memory.map(({ process, bytes: used }) => [
						t.processes[process],
						used === null ? t.unknown : bytes(used),
					])}
				/>
			</div>
			{disks.map(({ place, free_bytes: free, total_bytes: total, state }) => {
				const used = total === 0 ? 0 : ((total - free) / total) * 100;
				return (
					<div key={place} className={styles.part}>
						<h3>{t.places[place]}</h3>
						<Meter share={used / 100} isOver={state !== "enough"} />
						<p className={state === "enough" ? undefined : styles.bad}>
							{t.free(bytes(free), bytes(total))} <span className={styles.hint}>{t.used(percent(used))}</span>
						</p>
					</div>
				);
			})}
		</Card>
	);
}
