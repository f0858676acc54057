import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type Answer, call } from "../../api/client.ts";
import { read } from "../../api/read.ts";
import { ago } from "../../lib/format.ts";
import { viewValue, withView } from "../../lib/view.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { useChange } from "../../ui/form/use-change.ts";
import { Item, Items } from "../../ui/items/items.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { pageOf } from "../../ui/pager/pager.tsx";
import { PageFoot, useChangeSearch, useSiteSearch } from "../site/index.ts";
import styles from "./admin.module.css";
import { AdminFrame } from "./admin-frame.tsx";
import { kindName, t } from "./jobs-texts.ts";
import { systemQuery } from "./system-query.ts";

type Job = Answer<"GET /admin/jobs">["jobs"][number];
type Status = Job["status"];

const statuses: readonly Status[] = ["failed", "pending", "running", "done"];
const tones = { pending: "warn", running: "good", done: "muted", failed: "bad" } as const;
const pageSize = 50;
const everyMs = 10_000;

/** Queued, running and dead jobs with their errors; a dead job can be retried. */
export function JobsScreen() {
	return (
		<AdminFrame screen="jobs">
			<Card label={t.list}>
				<Tools />
				<Jobs />
			</Card>
		</AdminFrame>
	);
}

const statusOf = (view: readonly string[]): Status | undefined =>
	statuses.find((status) => status === viewValue(view, "status"));

function Tools() {
	const { view } = useSiteSearch();
	const change = useChangeSearch();
	const { data: system } = useQuery(systemQuery);
	const kinds = system?.jobs.kinds.map(({ kind }) => kind) ?? [];
	const countOf = (status: Status) => system?.jobs.kinds.reduce((sum, counts) => sum + counts[status], 0);
	const kind = viewValue(view, "kind") ?? "";
	const set = (name: string, value: string) =>
		change({ view: withView(view, name, value === "" ? [] : [value]), page: undefined });
	return (
		<div className={styles.tools}>
			<select
				aria-label={t.status}
				value={statusOf(view) ?? ""}
				onChange={(event) => set("status", event.target.value)}
			>
				<option value="">{t.any}</option>
				{statuses.map((status) => (
					<option key={status} value={status}>
						{t.statusWith(t.statuses[status], countOf(status))}
					</option>
				))}
			</select>
			<select aria-label={t.kind} value={kind} onChange={(event) => set("kind", event.target.value)}>
				<option value="">{t.anyKind}</option>
				{[...new Set([...kinds, ...(kind === "" ? [] : [kind])])].map((one) => (
					<option key={one} value={one}>
						{kindName(one)}
					</option>
				))}
			</select>
		</div>
	);
}

function Jobs() {
	const { view, page: asked } = useSiteSearch();
	const page = pageOf(asked);
	const query = { status: statusOf(view), kind: viewValue(view, "kind"), page, page_size: pageSize };
	const jobs = useQuery({
		...read("GET /admin/jobs", { query }),
		placeholderData: keepPreviousData,
		refetchInterval: everyMs,
	});
	return (
		<Loaded query={jobs} isEmpty={({ total }) => total === 0} empty={<p>{t.none}</p>}>
			{({ jobs: shown, total }) => (
				<>
					<Items label={t.list}>
						{shown.map((job) => (
							<JobItem key={job.id} job={job} />
						))}
					</Items>
					<PageFoot page={page} pageSize={pageSize} total={total} />
				</>
			)}
		</Loaded>
	);
}

function JobItem({ job }: { readonly job: Job }) {
	const { id, kind, status } = job;
	const retry = useChange({
		run: () => call("POST /admin/jobs/{id}/retry", { path: { id } }),
		stale: ["GET /admin/jobs", "GET /admin/system", "GET /audit/logs"],
		done: () => t.retried(kindName(kind)),
	});
	return (
		<Item
			title={kindName(kind)}
			state={{ text: t.statuses[status], tone: tones[status] }}
			facts={factsOf(job)}
			actions={
				status === "failed" && (
					<Button
						small
						aria-label={t.retryNamed(kindName(kind), id)}
						disabled={retry.isBusy}
						onClick={() => retry.run(undefined)}
					>
						{t.retry}
					</Button>
				)
			}
		>
			{job.last_error !== null && <p className={styles.error}>{job.last_error}</p>}
		</Item>
	);
}

const factsOf = ({ id, attempts, created_at: made, next_run_at: next, finished_at: ended }: Job): string =>
	[
		t.number(id),
		t.attempts(attempts),
		t.made(ago(made)),
		...(next === null ? [] : [t.next(ago(next))]),
		...(ended === null ? [] : [t.ended(ago(ended))]),
	].join(" · ");
