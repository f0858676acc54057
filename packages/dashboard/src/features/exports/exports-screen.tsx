import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { type FormEvent, type ReactNode, useRef, useState } from "react";
import type { Answer } from "../../api/client.ts";
import { copy } from "../../lib/clipboard.ts";
import { todayIn } from "../../lib/days.ts";
import { ago, count, days, exact, percent, time } from "../../lib/format.ts";
import { useForm } from "../../lib/use-form.ts";
import { useRested } from "../../lib/use-rested.ts";
import { Button, buttonClass } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { ConfirmDialog } from "../../ui/confirm/confirm-dialog.tsx";
import { Field, Select, verbatim } from "../../ui/field/field.tsx";
import { Options } from "../../ui/field/options.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import { Item } from "../../ui/items/items.tsx";
import { LoadedItems } from "../../ui/items/loaded-items.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { toast } from "../../ui/toast/toast.tsx";
import { type Days, daysOf, meQuery, ScreenHead, useSite, useSiteSearch } from "../site/index.ts";
import styles from "./exports.module.css";
import {
	type ExportInput,
	estimateQuery,
	exportFormats,
	exportTypes,
	inputOf,
	isRunning,
	type Job,
	jobsQuery,
	saveNow,
	useExports,
} from "./queries.ts";
import { t } from "./texts.ts";

/** Figures and events of a site as files. */
export const ExportsScreen = () => (
	<div className={styles.screen}>
		<ScreenHead title={t.title} />
		<p className="intro">{t.intro}</p>
		<ExportForm />
		<JobsCard />
	</div>
);

/** The exports of a site, and how far those are that are being made. */
function JobsCard() {
	const site = useSite();
	const [showsExpired, setShowsExpired] = useState(false);
	const query = useQuery({ ...jobsQuery(site.id, showsExpired), placeholderData: keepPreviousData });
	return (
		<Card
			title={t.jobs}
			actions={
				<label className={styles.check}>
					<input type="checkbox" checked={showsExpired} onChange={(event) => setShowsExpired(event.target.checked)} />
					{t.showExpired}
				</label>
			}
		>
			<LoadedItems label={t.jobs} query={query} of={({ exports }) => exports} empty={<p>{t.none}</p>}>
				{(job) => <JobRow key={job.job_id} job={job} />}
			</LoadedItems>
		</Card>
	);
}

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
function JobRow({ job }: { readonly job: Job }) {
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

/** While one types, nothing is counted. */
const restMs = 400;

/** Form of an export, with an estimate. Period and filters start as those of the report. */
function ExportForm() {
	const site = useSite();
	const search = useSiteSearch();
	const days = daysOf(search, todayIn(site.timezone));
	const [input, setInput] = useState<ExportInput>({
		export_type: "pages",
		format: "csv",
		date_from: days.from,
		date_to: days.to,
		...(search.f.length > 0 && { filters: { advanced_filters: search.f.join(",") } }),
	});
	const rested = useRested(input, restMs);
	const { create } = useExports(site.id);
	// Which way the file comes: the button says it that is pressed.
	const isSavedNow = useRef(false);
	const form = useForm(async (values) => {
		const asked = inputOf(values);
		await (isSavedNow.current ? saveNow(site.id, asked) : create.mutateAsync(asked));
	});
	const choose = (isNow: boolean) => {
		isSavedNow.current = isNow;
	};
	const read = (event: FormEvent<HTMLFormElement>) => setInput(inputOf(new FormData(event.currentTarget)));
	return (
		<Card title={t.fresh}>
			<Form form={form} className="column-16" onInput={read}>
				<MainFields days={days} />
				<FilterFields filters={search.f} errorOf={form.errorOf} />
				<Estimate input={rested}>
					{(isSmall) => (
						<>
							{isSmall && <Submit onClick={() => choose(true)}>{t.save}</Submit>}
							<Submit look={isSmall ? "plain" : "primary"} onClick={() => choose(false)}>
								{t.make}
							</Submit>
						</>
					)}
				</Estimate>
			</Form>
		</Card>
	);
}

interface Faults {
	readonly errorOf: (field: string) => string | undefined;
}

function MainFields({ days }: { readonly days: Days }) {
	return (
		<div className={styles.fields}>
			<Select label={t.what} name="export_type">
				<Options of={exportTypes} text={(type) => t.types[type]} />
			</Select>
			<Select label={t.format} name="format">
				<Options of={exportFormats} text={(format) => t.formats[format]} />
			</Select>
			<Field label={t.from} name="date_from" type="date" required defaultValue={days.from} />
			<Field label={t.to} name="date_to" type="date" required defaultValue={days.to} />
		</div>
	);
}

const texts = ["utm_source", "utm_medium", "utm_campaign"] as const;
const devices = ["desktop", "mobile", "tablet", "unknown"] as const;

function FilterFields({ filters, errorOf }: Faults & { readonly filters: readonly string[] }) {
	return (
		<details className={styles.part} open={filters.length > 0}>
			<summary>{t.part}</summary>
			<div className={styles.fields}>
				{texts.map((name) => (
					<Field
						key={name}
						label={t.fields[name]}
						name={name}
						maxLength={255}
						autoComplete="off"
						error={errorOf(`filters.${name}`)}
					/>
				))}
				<Field
					label={t.fields.country}
					name="country"
					maxLength={50}
					autoComplete="off"
					autoCapitalize="characters"
					error={errorOf("filters.country")}
				/>
				<Select label={t.fields.device_type} name="device_type" error={errorOf("filters.device_type")}>
					<option value="">{t.anyDevice}</option>
					<Options of={devices} text={(device) => t.devices[device]} />
				</Select>
			</div>
			<Field
				label={t.fields.advanced_filters}
				hint={t.advancedHint}
				name="advanced_filters"
				maxLength={1000}
				{...verbatim}
				defaultValue={filters.join(",")}
				error={errorOf("filters.advanced_filters")}
			/>
		</details>
	);
}

interface EstimateProps {
	readonly input: ExportInput;
	/** The ways to get the file; a small one can be had at once. */
	readonly children: (isSmall: boolean) => ReactNode;
}

/** Estimated size of the file, and the ways to get it. */
function Estimate({ input, children }: EstimateProps) {
	const site = useSite();
	const isWhole = input.date_from !== "" && input.date_to !== "";
	const isInOrder = input.date_from <= input.date_to;
	const query = useQuery({
		...estimateQuery(site.id, isWhole && isInOrder ? input : undefined),
		placeholderData: keepPreviousData,
	});
	if (isWhole && !isInOrder) return <p className={styles.fault}>{t.wrongDays}</p>;
	return (
		<div className={styles.estimate}>
			<Loaded query={query} skeleton={<p className={styles.words}>{t.counting}</p>}>
				{(estimate) => (
					<>
						<p className={styles.words} role="status">
							{wordsOf(estimate)}
						</p>
						{estimate.estimated_rows > 0 && <div className="row">{children(!estimate.will_use_background_job)}</div>}
					</>
				)}
			</Loaded>
		</div>
	);
}

function wordsOf(estimate: Answer<"POST /exports/estimate">): string {
	const rows = estimate.estimated_rows;
	if (rows === 0) return t.nothing;
	const said = t.rows(rows, count(rows), estimate.estimated_size_human);
	const way = estimate.will_use_background_job
		? t.large(exact(estimate.estimated_duration_seconds, "duration"))
		: t.small;
	return `${said} ${way}`;
}
