import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { type Answer, call } from "../../api/client.ts";
import { may } from "../../api/may.ts";
import { read } from "../../api/read.ts";
import { addDays, todayIn } from "../../lib/days.ts";
import { count, day, time } from "../../lib/format.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { ConfirmDialog } from "../../ui/confirm/confirm-dialog.tsx";
import { Field, Select } from "../../ui/field/field.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import { useChange } from "../../ui/form/use-change.ts";
import { Item, Items } from "../../ui/items/items.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { ScreenHead, type Site, useSite } from "../site/index.ts";
import { choices, firstKept, isShorter } from "./retention.ts";
import styles from "./site-settings.module.css";
import { t } from "./texts.ts";

const deletionsRoute = "GET /sites/{id}/data-deletions";

/** Something that was deleted, or is. */
type Deletion = Answer<typeof deletionsRoute>["deletions"][number];

const LOOK_MS = 2_000;

/** True as long as there is more to come. */
const isUnderWay = ({ status }: Deletion): boolean => status === "pending" || status === "running";

/** Deletions of a site, polled while one is in progress. */
const deletionsQuery = (id: string) =>
	queryOptions({
		...read(deletionsRoute, { path: { id } }),
		refetchInterval: ({ state }) => (state.data?.deletions.some(isUnderWay) ? LOOK_MS : false),
	});

/** How long what was counted is kept, and how it is deleted. */
export function KeepingScreen() {
	const site = useSite();
	return (
		<div className={styles.screen}>
			<ScreenHead title={t.keeping} />
			<div className="stack-12">
				<RetentionCard site={site} />
				{may("DELETE /sites/{id}/data", site.role) && <EraseCard site={site} />}
				{may("PATCH /sites/{id}", site.role) && <DeletionsCard site={site} />}
			</div>
		</div>
	);
}

const tones = { pending: "muted", running: "warn", completed: "good", failed: "bad" } as const;

/** Deletions of the site and their progress. */
function DeletionsCard({ site }: { readonly site: Site }) {
	const query = useQuery(deletionsQuery(site.id));
	useFreshReports(query.data?.deletions.filter(isUnderWay).length);
	return (
		<Card title={t.deletions}>
			<Loaded query={query}>
				{({ deletions }) =>
					deletions.length === 0 ? (
						<p className="muted">{t.none}</p>
					) : (
						<Items label={t.deletions}>
							{deletions.map((deletion) => (
								<One key={deletion.id} deletion={deletion} />
							))}
						</Items>
					)
				}
			</Loaded>
		</Card>
	);
}

function One({ deletion }: { readonly deletion: Deletion }) {
	const { status, step, progress_percent: progress, deleted_rows: rows } = deletion;
	const facts = [t.asked(time(deletion.created_at)), ...(rows === null ? [] : [t.rows(count(rows))])].join(" · ");
	return (
		<Item title={titleOf(deletion)} facts={facts} state={{ text: t.status[status], tone: tones[status] }}>
			{isUnderWay(deletion) && (
				<>
					<progress className={styles.progress} max={100} value={progress} aria-label={t.progress} />
					<p className="caption">{t.steps[step]}</p>
				</>
			)}
			{deletion.error_message !== null && <p className="caption">{deletion.error_message}</p>}
		</Item>
	);
}

function titleOf({ from, to }: Deletion): string {
	if (from === null) return to === null ? t.all : t.until(day(to, "long"));
	return to === null ? t.since(day(from, "long")) : t.days(day(from, "long"), day(to, "long"));
}

/** When something has been deleted, no figure is what it was. */
function useFreshReports(underWay: number | undefined): void {
	const queries = useQueryClient();
	const before = useRef(underWay);
	// The answers that are kept are outside of React.
	useEffect(() => {
		if (underWay !== undefined && underWay < (before.current ?? 0)) {
			void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== deletionsRoute });
		}
		before.current = underWay;
	}, [underWay, queries]);
}

interface Days {
	readonly from?: string;
	readonly to?: string;
}

/** Deletes some days of a site, or all. */
function EraseCard({ site }: { readonly site: Site }) {
	const [isAll, setAll] = useState(false);
	const [wanted, setWanted] = useState<Days>();
	const [from, setFrom] = useState("");
	const today = todayIn(site.timezone);
	const { mutateAsync: erase } = useChange({
		run: (days: Days) =>
			call("DELETE /sites/{id}/data", { path: { id: site.id }, body: { ...days, confirm: site.id } }),
		stale: [deletionsRoute],
		done: () => t.begun,
	});
	const form = useForm(async (values) =>
		setWanted(isAll ? {} : { from: textOf(values, "from"), to: textOf(values, "to") }),
	);
	return (
		<Card title={t.erase}>
			<Form form={form} className="stack-16">
				<fieldset className={styles.ways}>
					<legend className="visually-hidden">{t.what}</legend>
					{[false, true].map((all) => (
						<label key={String(all)}>
							<input type="radio" name="what" checked={isAll === all} onChange={() => setAll(all)} />
							{all ? t.everything : t.range}
						</label>
					))}
				</fieldset>
				{!isAll && (
					<div className={styles.pair}>
						<Field
							label={t.from}
							name="from"
							type="date"
							max={today}
							value={from}
							onChange={(event) => setFrom(event.target.value)}
							required
						/>
						<Field label={t.to} name="to" type="date" min={from} max={today} required />
					</div>
				)}
				<p className="muted">{t.eraseHint}</p>
				<Button type="submit" look="danger" className={styles.submit}>
					{t.next}
				</Button>
			</Form>
			{wanted && (
				<ConfirmDialog
					title={t.eraseTitle}
					goes={[sentenceOf(wanted), t.eraseFiles]}
					stays={t.eraseStays}
					name={site.name}
					action={t.eraseAction}
					onConfirm={() => erase(wanted)}
					onClose={() => setWanted(undefined)}
				/>
			)}
		</Card>
	);
}

const sentenceOf = ({ from, to }: Days): string =>
	from === undefined || to === undefined ? t.eraseAll : t.eraseDays(day(from, "long"), day(to, "long"));

type Retention = Pick<Site, "data_retention_months" | "data_retention_pending">;

/** A shorter period applies after so many days. */
const WITHDRAWABLE_DAYS = 7;

const words = (months: number | null) => (months === null ? t.forever : t.months(months));
const sentence = ({ data_retention_months: months, data_retention_pending: pending }: Retention) =>
	pending === null
		? t.retentionNow(words(months))
		: t.retentionPending(words(months), words(pending.months), day(pending.applies_at.slice(0, 10), "long"));

/** How long data are kept. */
function RetentionCard({ site }: { readonly site: Site }) {
	const { data_retention_months: kept, data_retention_pending: pending } = site;
	const mayWrite = may("PATCH /sites/{id}", site.role);
	return (
		<Card title={t.retention}>
			{mayWrite ? <Choice key={`${kept} ${pending?.months}`} site={site} /> : <p>{sentence(site)}</p>}
		</Card>
	);
}

function Choice({ site }: { readonly site: Site }) {
	const { data_retention_months: kept, data_retention_pending: pending } = site;
	const [wanted, setWanted] = useState<number>();
	const { mutateAsync: change, ...withdrawal } = useChange({
		run: (body: { data_retention_months: number | null; confirm?: string }) =>
			call("PATCH /sites/{id}", { path: { id: site.id }, body }),
		stale: ["GET /sites"],
		done: sentence,
	});
	const form = useForm(async (values) => {
		const text = textOf(values, "data_retention_months");
		const months = text === "" ? null : Number(text);
		if (months !== null && isShorter(months, kept)) setWanted(months);
		else if (months !== kept) await change({ data_retention_months: months });
	});
	const mayShorten = may("DELETE /sites/{id}/data", site.role);
	return (
		<>
			{pending !== null && (
				<div className={styles.row}>
					<p>{sentence(site)}</p>
					<Button disabled={withdrawal.isBusy} onClick={() => withdrawal.run({ data_retention_months: kept })}>
						{t.withdraw}
					</Button>
				</div>
			)}
			<Form form={form} className="stack-16">
				<Select
					label={t.keep}
					name="data_retention_months"
					defaultValue={kept ?? ""}
					hint={mayShorten ? t.retentionHint : `${t.retentionHint} ${t.shortenOwners}`}
				>
					<option value="">{t.forever}</option>
					{choices(kept)
						.filter((months) => mayShorten || !isShorter(months, kept))
						.map((months) => (
							<option key={months} value={months}>
								{t.months(months)}
							</option>
						))}
				</Select>
				<Submit look="plain" className={styles.submit}>
					{t.save}
				</Submit>
			</Form>
			{wanted !== undefined && (
				<ConfirmDialog
					title={t.shorten}
					goes={[
						t.shortenGoes(day(firstKept(addDays(todayIn(site.timezone), WITHDRAWABLE_DAYS), wanted), "long")),
						t.shortenLater,
					]}
					stays={[t.shortenStays, t.shortenWithdraw]}
					name={site.name}
					action={t.shortenAction}
					onConfirm={() => change({ data_retention_months: wanted, confirm: site.id })}
					onClose={() => setWanted(undefined)}
				/>
			)}
		</>
	);
}
