import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { copy } from "../../lib/clipboard.ts";
import { ago, count, days, percent, time } from "../../lib/format.ts";
import { Button, buttonClass } from "../../ui/button/button.tsx";
import { ConfirmDialog } from "../../ui/confirm/confirm-dialog.tsx";
import { Item } from "../../ui/items/items.tsx";
import { toast } from "../../ui/toast/toast.tsx";
import { meQuery, useSite } from "../site/index.ts";
import styles from "./exports.module.css";
import { isRunning, type Job, useExports } from "./queries.ts";
import { t } from "./texts.ts";

const tones = {
	pending: "muted",
	estimating: "muted",
	generating: "muted",
	completed: "good",
	failed: "bad",
	expired: "muted",
} as const satisfies Record<Job["status"], string>;

const nameOf = (job: Job) => t.job(t.types[job.export_type], days(job.date_from, job.date_to));

/** One export. */
export function JobRow({ job }: { readonly job: Job }) {
	const rows = job.actual_rows ?? job.estimated_rows;
	const facts = [
		t.formats[job.format],
		...(job.file_size_human === null ? [] : [t.facts(count(rows), job.file_size_human)]),
		t.asked(ago(job.created_at)),
		...(job.status === "completed" && job.download_expires_at !== null
			? [t.ends(ago(job.download_expires_at), time(job.download_expires_at))]
			: []),
	];
	return (
		<Item
			title={nameOf(job)}
			state={{ text: t.states[job.status], tone: tones[job.status] }}
			facts={facts.join(" · ")}
			actions={<Actions job={job} />}
		>
			{isRunning(job) && <Progress job={job} />}
			{job.error_message && <p className={styles.fault}>{job.error_message}</p>}
		</Item>
	);
}

const Progress = ({ job }: { readonly job: Job }) => (
	<div className={styles.progress}>
		<progress aria-label={nameOf(job)} max={100} value={job.progress_percent} />
		<span>{t.progress(percent(job.progress_percent))}</span>
	</div>
);

function Actions({ job }: { readonly job: Job }) {
	const site = useSite();
	const { repeat, remove } = useExports(site.id);
	const { data: me } = useQuery(meQuery);
	const [isAsking, setAsking] = useState(false);
	const mayRemove = site.role !== "viewer" || (me !== undefined && job.created_by === me.id);
	const isWaiting = job.status === "pending";
	return (
		<>
			{job.download_url !== null && <Link url={job.download_url} />}
			{(job.status === "expired" || job.status === "failed") && (
				<Button small disabled={repeat.isBusy} onClick={() => repeat.run(job)}>
					{t.again}
				</Button>
			)}
			{mayRemove && (isWaiting || !isRunning(job)) && (
				<Button
					small
					look="danger"
					disabled={remove.isBusy}
					onClick={() => (job.status === "completed" ? setAsking(true) : remove.run(job))}
				>
					{isWaiting ? t.cancel : t.remove}
				</Button>
			)}
			{isAsking && (
				<ConfirmDialog
					title={t.removeTitle(nameOf(job))}
					goes={t.removeGoes}
					stays={t.removeStays}
					action={t.remove}
					onConfirm={() => remove.mutateAsync(job)}
					onClose={() => setAsking(false)}
				/>
			)}
		</>
	);
}

/** The file is on the host of this page, whatever address the service believes to have. */
function Link({ url }: { readonly url: string }) {
	const { pathname, search } = new URL(url);
	return (
		<>
			<a className={buttonClass("primary", true)} href={pathname + search} download>
				<Download size={14} aria-hidden="true" /> {t.download}
			</a>
			<Button
				small
				onClick={() =>
					void copy(location.origin + pathname + search).then(
						() => toast(t.copied),
						() => toast(t.copyFailed),
					)
				}
			>
				{t.copyLink}
			</Button>
		</>
	);
}
