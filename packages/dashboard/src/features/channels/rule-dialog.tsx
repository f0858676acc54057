import { queryOptions, type UseQueryResult, useQuery } from "@tanstack/react-query";
import { type ReactNode, useCallback, useState } from "react";
import { ask } from "../../api/batch.ts";
import { call } from "../../api/client.ts";
import { todayIn } from "../../lib/days.ts";
import { asFailure } from "../../lib/failure.ts";
import { count } from "../../lib/format.ts";
import { textOf } from "../../lib/use-form.ts";
import { useRested } from "../../lib/use-rested.ts";
import { Check, Field, Select, verbatim } from "../../ui/field/field.tsx";
import { Options } from "../../ui/field/options.tsx";
import { RecordDialog, RecordForm } from "../../ui/form/record-form.tsx";
import { useRecordForm } from "../../ui/form/use-records.ts";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { failureText } from "../../ui/page/failure-text.ts";
import { daysOf, type Site, valueName } from "../site/index.ts";
import styles from "./channels.module.css";
import { type Move, movesOf, sourcesOf, type Touch } from "./moves.ts";
import { hows, readPattern, writePattern } from "./pattern.ts";
import { patternFields } from "./rule-words.ts";
import { t } from "./texts.ts";
import { type Rule, type RuleFields, ruleQuery, rulesQuery, useRules } from "./use-rules.ts";

/** As many as one question to the rules may hold. */
const most = 1_000;

/** A rule that is tried; without an id it is a new one. */
type Tried = Omit<RuleFields, "is_active"> & { readonly id?: number };

/** By what the visits of the last 30 days came, the most visits first. */
const touchesQuery = ({ id, timezone }: Site) => {
	const { from, to } = daysOf({ period: "30d" }, todayIn(timezone));
	return queryOptions({
		queryKey: ["POST /stats/query", "touches", id, from, to],
		queryFn: async ({ signal }) => {
			const { data, meta } = await ask(
				"POST /stats/query",
				{
					site_id: id,
					date_from: from,
					date_to: to,
					dimensions: ["utm_source", "utm_medium", "utm_campaign"],
					metrics: ["entrances"],
					order_by: [{ field: "entrances", direction: "desc" }],
					limit: most,
				},
				signal,
			);
			const touches = data.map(
				({
					utm_source: source = "",
					utm_medium: medium = "",
					utm_campaign: campaign = "",
					entrances: visits = 0,
				}): Touch => ({
					...{ source, medium, campaign, visits },
				}),
			);
			return { touches, leftOut: meta.total_rows - touches.length };
		},
		staleTime: 300_000,
	});
};

const visitsOf = (touches: readonly Touch[]) =>
	touches.map(({ source, medium, campaign }) => ({ source, medium, campaign }));

/** Channels of these visits by the rules as they are now. */
const channelsNow = async (site: string, touches: readonly Touch[], rule?: Tried, signal?: AbortSignal) => {
	const { channels = [] } = await call("POST /channel-groups/test", {
		query: { account_id: site },
		body: { visits: visitsOf(touches), ...(rule && { rule }) },
		signal,
	});
	return channels;
};

/**
 * Effect of a rule if it were active. Both sides are evaluated with the current rules, as stored visits may carry the
 * channel of older ones.
 */
const trialQuery = (site: string, touches: readonly Touch[], rule: Tried) =>
	queryOptions({
		queryKey: ["POST /channel-groups/test", site, touches, rule],
		queryFn: async ({ signal }) => {
			const [before, after] = await Promise.all([
				channelsNow(site, touches, undefined, signal),
				channelsNow(site, touches, rule, signal),
			]);
			return movesOf(touches, before, after);
		},
		retry: false,
	});

interface RuleDialogProps {
	readonly site: Site;
	/** Of what is changed; a new one without it. */
	readonly id?: number;
	readonly onClose: () => void;
}

/** Form of a rule with a preview of its effect. */
export const RuleDialog = ({ site, id, onClose }: RuleDialogProps) => (
	<RecordDialog
		shape="drawer"
		title={id === undefined ? t.add : t.edit}
		query={id === undefined ? undefined : ruleQuery(site.id, id)}
		onClose={onClose}
	>
		{(rule) => <RuleForm site={site} rule={rule} onClose={onClose} />}
	</RecordDialog>
);

const fieldsOf = (values: FormData): RuleFields => ({
	channel_name: textOf(values, "channel_name").trim(),
	source_pattern: patternOf(values, "source_pattern"),
	medium_pattern: patternOf(values, "medium_pattern"),
	campaign_pattern: patternOf(values, "campaign_pattern"),
	priority: Number(textOf(values, "priority")),
	is_active: values.has("is_active"),
});

interface RuleFormProps extends Pick<RuleDialogProps, "site" | "onClose"> {
	readonly rule: Rule | undefined;
}

function RuleForm({ site, rule, onClose }: RuleFormProps) {
	const [typed, setTyped] = useState<RuleFields>();
	const form = useRecordForm({ changes: useRules(site.id), row: rule, kind: "rule", fieldsOf, onDone: onClose });
	const onType = useCallback((element: HTMLFormElement) => setTyped(fieldsOf(new FormData(element))), []);
	return (
		<RecordForm form={form} onCancel={onClose} onType={onType}>
			<Name site={site} rule={rule} />
			<ConditionFields site={site} rule={rule} />
			<Laboratory site={site} rule={typed && triedOf(typed, rule)} isLive={rule?.is_active === true} />
			<Field
				label={t.priority}
				hint={t.priorityHint}
				name="priority"
				type="number"
				min={0}
				max={1000}
				step={1}
				required
				defaultValue={rule?.priority ?? 50}
			/>
			<Check label={t.isLive} hint={t.isLiveHint} name="is_active" defaultChecked={rule?.is_active ?? false} />
		</RecordForm>
	);
}

/** The rule to preview: the form's, once it has a channel and a condition. */
function triedOf({ is_active: _, ...fields }: RuleFields, rule: Rule | undefined): Tried | undefined {
	const isWhole = fields.channel_name !== "" && patternFields.some((field) => fields[field] !== null);
	return isWhole ? { ...fields, ...(rule && { id: rule.id }) } : undefined;
}

function Name({ site, rule }: { readonly site: Site; readonly rule: Rule | undefined }) {
	const { data } = useQuery(rulesQuery(site.id));
	return (
		<>
			<Field
				label={t.channel}
				hint={t.channelHint}
				name="channel_name"
				list="channel-names"
				defaultValue={rule?.channel_name}
				required
				maxLength={50}
				autoFocus
				autoComplete="off"
			/>
			<datalist id="channel-names">
				{[...new Set(data?.rules.map(({ channel_name: name }) => name))].map((name) => (
					<option key={name} value={name} />
				))}
			</datalist>
		</>
	);
}

type PatternField = (typeof patternFields)[number];

/** A condition of the form as the expression that the API takes. */
const patternOf = (values: FormData, field: PatternField): string | null =>
	writePattern({
		how: hows.find((how) => how === textOf(values, `${field}_how`)) ?? "contains",
		text: textOf(values, field).trim(),
	});

const seenIn: Readonly<Record<PatternField, (touch: Touch) => string>> = {
	source_pattern: ({ source }) => source,
	medium_pattern: ({ medium }) => medium,
	campaign_pattern: ({ campaign }) => campaign,
};

/** Conditions on source, medium and campaign. Known values are suggested. */
function ConditionFields({ site, rule }: { readonly site: Site; readonly rule: Rule | undefined }) {
	const { data } = useQuery(touchesQuery(site));
	return (
		<fieldset className={styles.conditions}>
			<legend>{t.conditions}</legend>
			<p className="intro">{t.conditionsHint}</p>
			{patternFields.map((field) => {
				const { how, text } = readPattern(rule?.[field] ?? null);
				const seen = new Set(data?.touches.map(seenIn[field]).filter((value) => value !== ""));
				return (
					<div key={field} className={styles.condition}>
						<Select label={t.fields[field]} name={`${field}_how`} defaultValue={how}>
							<Options of={hows} text={(one) => t.hows[one]} />
						</Select>
						<Field
							label={t.valueOf(t.fields[field])}
							name={field}
							list={`seen-${field}`}
							defaultValue={text}
							maxLength={250}
							{...verbatim}
						/>
						<datalist id={`seen-${field}`}>
							{[...seen].slice(0, 50).map((value) => (
								<option key={value} value={value} />
							))}
						</datalist>
					</div>
				);
			})}
		</fieldset>
	);
}

const restMs = 300;
/** Sources that are named of each move. */
const named = 4;

interface LaboratoryProps {
	readonly site: Site;
	/** The previewed rule; undefined while it is incomplete. */
	readonly rule: Tried | undefined;
	/** True for a rule that is live as it was before. */
	readonly isLive: boolean;
}

/** Effect of a rule on the visits of the last 30 days. */
function Laboratory({ site, rule, isLive }: LaboratoryProps) {
	const touches = useQuery(touchesQuery(site));
	return (
		<section aria-label={t.laboratory} className={styles.laboratory}>
			<h3>{t.laboratory}</h3>
			<Loaded query={touches} skeleton={<p className="intro">{t.counting}</p>}>
				{({ touches: known, leftOut }) => (
					<>
						{known.length === 0 ? (
							<p className="intro">{t.noVisits}</p>
						) : rule === undefined ? (
							<p className="intro">{t.nothingToTry}</p>
						) : (
							<Trial site={site} touches={known} rule={rule} />
						)}
						{isLive && <p className="intro">{t.againstItself}</p>}
						{leftOut > 0 && <p className="intro">{t.leftOut(count(known.length))}</p>}
					</>
				)}
			</Loaded>
		</section>
	);
}

interface TrialProps {
	readonly site: Site;
	readonly touches: readonly Touch[];
	readonly rule: Tried;
}

function Trial({ site, touches, rule }: TrialProps) {
	// The rule is a new object at each key press, so its text is debounced.
	const rested = useRested(JSON.stringify(rule), restMs);
	const query = useQuery(trialQuery(site.id, touches, JSON.parse(rested) as Tried));
	return <div role="status">{outcomeOf(query)}</div>;
}

function outcomeOf({ data, error }: UseQueryResult<readonly Move[], Error>): ReactNode {
	if (error) {
		const failure = asFailure(error);
		return <p className="fault">{failure.detail[0]?.message ?? failureText(failure)}</p>;
	}
	if (data === undefined) return <p className="intro">{t.counting}</p>;
	if (data.length === 0) return <p>{t.movesNothing}</p>;
	return (
		<>
			<ul className={styles.moves}>
				{data.map((move) => (
					<li key={`${move.from} ${move.to}`}>
						<p>{t.moves(count(move.visits), move.visits, channelName(move.from), channelName(move.to))}</p>
						<p className="intro">{sourceWords(move.touches)}</p>
					</li>
				))}
			</ul>
			<p className="intro">{t.fromNow}</p>
		</>
	);
}

const channelName = (name: string): string => valueName("channel_group", name);

function sourceWords(touches: readonly Touch[]): string {
	const sources = sourcesOf(touches);
	const shown = sources
		.slice(0, named)
		.map(({ source, medium, visits }) => `${source} / ${medium} (${count(visits)})`)
		.join(", ");
	return sources.length > named ? t.andMore(shown, sources.length - named) : shown;
}
