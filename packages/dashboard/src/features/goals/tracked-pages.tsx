import { useQueryClient } from "@tanstack/react-query";
import { History, type LucideIcon, Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { call } from "../../api/client.ts";
import { may } from "../../api/may.ts";
import { days, exact } from "../../lib/format.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Field, Select } from "../../ui/field/field.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import { useChange } from "../../ui/form/use-change.ts";
import { Problem } from "../../ui/page/form-page.tsx";
import { toast } from "../../ui/toast/toast.tsx";
import { type Site, useSite } from "../site/index.ts";
import { useSiteChange } from "../site-settings/index.ts";
import styles from "./goals.module.css";
import { t } from "./texts.ts";

type Goal = Site["goals"][number];

/** Opens the form for a page or event that is to count as a conversion, empty or filled with an example. */
export function TrackPage({ isExample = false }: { readonly isExample?: boolean }) {
	const { role } = useSite();
	const [isOpen, setIsOpen] = useState(false);
	if (!may("PATCH /sites/{id}", role)) return null;
	return (
		<>
			<Button small onClick={() => setIsOpen(true)}>
				{!isExample && <Plus size={16} aria-hidden="true" />} {isExample ? t.example : t.trackPage}
			</Button>
			{isOpen && <TrackedPageDialog isExample={isExample} onClose={() => setIsOpen(false)} />}
		</>
	);
}

/** Pages and events that count as conversions without code. */
export function TrackedPages() {
	const site = useSite();
	const { goals, role } = site;
	const [edited, setEdited] = useState<Goal>();
	const [earlier, setEarlier] = useState<Earlier>();
	const look = useChange({
		run: async (goal: Goal) => setEarlier(await countEarlier(site.id, goal, true)),
		stale: [],
	});
	const change = useSiteChange(site, () => t.trackedRemoved);
	if (goals.length === 0) return null;
	return (
		<section className={styles.where} aria-label={t.tracked}>
			<h3>{t.tracked}</h3>
			<ul>
				{goals.map((goal) => (
					<li key={goal.id} className={styles.tracked}>
						<TrackedPage goal={goal} />
						{may("PATCH /sites/{id}", role) && (
							<span className={styles.goalActions}>
								<Act
									icon={History}
									name={t.countEarlier(goal.pattern)}
									isBusy={look.isBusy}
									run={() => look.run(goal)}
								/>
								<Act icon={Pencil} name={t.editTracked(goal.pattern)} isBusy={false} run={() => setEdited(goal)} />
								<Act
									icon={Trash2}
									name={t.removeTracked(goal.pattern)}
									isBusy={change.isBusy}
									run={() => change.run({ goals: goals.filter((one) => one !== goal) })}
								/>
							</span>
						)}
					</li>
				))}
			</ul>
			{edited && <TrackedPageDialog goal={edited} onClose={() => setEdited(undefined)} />}
			{earlier && <EarlierVisitsDialog earlier={earlier} onClose={() => setEarlier(undefined)} />}
		</section>
	);
}

interface ActProps {
	readonly icon: LucideIcon;
	readonly name: string;
	readonly isBusy: boolean;
	readonly run: () => void;
}

const Act = ({ icon: Icon, name, isBusy, run }: ActProps) => (
	<Button look="quiet" icon small disabled={isBusy} aria-label={name} onClick={run}>
		<Icon size={14} aria-hidden="true" />
	</Button>
);

function TrackedPage({ goal: { pattern, counts_as, conversion_type: type, amount } }: { readonly goal: Goal }) {
	const { currency } = useSite();
	return (
		<span>
			<code>{pattern}</code> → {type}
			{counts_as === "microconversion" && ` (${t.countsAs.microconversion})`}
			{amount > 0 && `, ${exact(amount, "money", currency)}`}
		</span>
	);
}

interface DialogProps {
	/** Missing for a new one. */
	readonly goal?: Goal;
	/** A new one that is filled with an example. */
	readonly isExample?: boolean;
	readonly onClose: () => void;
}

function TrackedPageDialog({ goal, isExample = false, onClose }: DialogProps) {
	const site = useSite();
	const { currency, goals } = site;
	const [kind, setKind] = useState(goal?.kind ?? "page");
	const [countsAs, setCountsAs] = useState(goal?.counts_as ?? "conversion");
	const [earlier, setEarlier] = useState<Earlier>();
	const { mutateAsync } = useSiteChange(site, () => t.trackedSaved);
	const index = goal === undefined ? goals.length : goals.indexOf(goal);
	const isPage = kind === "page";
	const isConversion = !isPage || countsAs === "conversion";
	const form = useForm(async (values) => {
		const given = {
			...(goal && { id: goal.id }),
			name: textOf(values, "type"),
			kind,
			pattern: textOf(values, "pattern"),
			counts_as: isConversion ? ("conversion" as const) : countsAs,
			conversion_type: textOf(values, "type"),
			amount: isConversion ? Number(textOf(values, "amount")) : 0,
		};
		const saved = await mutateAsync({ goals: [...goals.slice(0, index), given, ...goals.slice(index + 1)] });
		const made = goal === undefined ? saved.goals[index] : undefined;
		// The goal is saved: visits that cannot be looked for now can be counted later.
		const missed = made && (await countEarlier(site.id, made, true).catch(() => undefined));
		if (missed !== undefined && missed.visits > 0) setEarlier(missed);
		else onClose();
	});
	if (earlier !== undefined) return <EarlierVisitsDialog earlier={earlier} onClose={onClose} />;
	const errorOf = (field: keyof Goal) => form.errorOf(`goals.${index}.${field}`);
	return (
		<Dialog title={goal ? t.editTrackedTitle : t.trackTitle} onClose={onClose}>
			<Form form={form} className="stack-12">
				<Select
					label={t.trigger}
					value={kind}
					onChange={({ target }) => setKind(target.value === "event" ? "event" : "page")}
				>
					<option value="page">{t.triggers.page}</option>
					<option value="event">{t.triggers.event}</option>
				</Select>
				<Field
					key={kind}
					label={isPage ? t.path : t.eventType}
					hint={isPage ? t.pathHint : t.eventHint}
					name="pattern"
					placeholder={isPage ? t.pathExample : "form"}
					required
					maxLength={200}
					defaultValue={goal?.kind === kind ? goal.pattern : isExample && isPage ? t.pathExample : ""}
					error={errorOf("pattern")}
				/>
				<Field
					label={t.conversionType}
					name="type"
					placeholder={t.typeExample}
					required
					maxLength={100}
					defaultValue={goal?.conversion_type ?? (isExample ? t.typeExample : undefined)}
					error={errorOf("conversion_type") ?? errorOf("name")}
				/>
				{isPage && (
					<Select
						label={t.countsAsLabel}
						value={countsAs}
						onChange={({ target }) =>
							setCountsAs(target.value === "microconversion" ? "microconversion" : "conversion")
						}
					>
						<option value="conversion">{t.countsAs.conversion}</option>
						<option value="microconversion">{t.countsAs.microconversion}</option>
					</Select>
				)}
				{isConversion && (
					<Field
						label={t.amount(currency)}
						name="amount"
						type="number"
						min={0}
						max={1_000_000}
						step="any"
						defaultValue={goal?.amount || ""}
						error={errorOf("amount")}
					/>
				)}
				<p className={styles.note}>{t.onceAVisit}</p>
				<div className={styles.end}>
					<Submit>{goal ? t.save : t.track}</Submit>
				</div>
			</Form>
		</Dialog>
	);
}

/** A page or event that counts without code, and the earlier visits that reached it. */
interface Earlier {
	readonly goal: Site["goals"][number];
	readonly visits: number;
	/** Examined days; null if the site has none before today. */
	readonly from: string | null;
	readonly to: string | null;
}

/** Counts earlier visits, or finds out how many there are; a request ends after some seconds, and another one continues. */
async function countEarlier(siteId: string, goal: Earlier["goal"], isDryRun: boolean): Promise<Earlier> {
	let sum: Earlier = { goal, visits: 0, from: null, to: null };
	for (let isComplete = false; !isComplete; ) {
		const answer = await call("POST /sites/{id}/goals/{goal_id}/count-earlier", {
			path: { id: siteId, goal_id: goal.id },
			body: { dry_run: isDryRun, ...(sum.from !== null && { before: sum.from }) },
		});
		sum = { goal, visits: sum.visits + answer.visits, from: answer.from ?? sum.from, to: sum.to ?? answer.to };
		isComplete = answer.is_complete;
	}
	return sum;
}

interface EarlierVisitsProps {
	readonly earlier: Earlier;
	readonly onClose: () => void;
}

/** Offers to count the earlier visits. */
function EarlierVisitsDialog({ earlier: { goal, visits, from, to }, onClose }: EarlierVisitsProps) {
	const site = useSite();
	const queries = useQueryClient();
	const form = useForm(async () => {
		const counted = await countEarlier(site.id, goal, false);
		void queries.invalidateQueries();
		toast(t.earlierCounted(counted.visits));
		onClose();
	});
	if (visits === 0 || from === null || to === null) {
		return (
			<Dialog title={t.earlierTitle} onClose={onClose}>
				<div className="stack-12">
					<p>{t.noEarlier(goal.pattern)}</p>
					<p className={styles.note}>{t.earlierLimits}</p>
				</div>
			</Dialog>
		);
	}
	return (
		<Dialog title={t.earlierTitle} onClose={onClose}>
			<form className="stack-12" onSubmit={form.onSubmit}>
				<Problem failure={form.failure} />
				<p>
					{t.earlier(visits, goal.pattern, days(from, to))} {t.earlierAdds(goal.conversion_type)}
				</p>
				<p className={styles.note}>{t.earlierLimits}</p>
				<div className={styles.end}>
					<Button onClick={onClose}>{t.notNow}</Button>
					<Button type="submit" look="primary" disabled={form.isBusy}>
						{t.countVisits(visits)}
					</Button>
				</div>
			</form>
		</Dialog>
	);
}
