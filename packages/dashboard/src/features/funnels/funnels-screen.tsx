import { Suspense } from "react";
import type { Answer } from "../../api/client.ts";
import { todayIn } from "../../lib/days.ts";
import { count, day, exact } from "../../lib/format.ts";
import { readablePath } from "../../lib/readable-path.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { FunnelChart } from "../../ui/charts/funnel-chart.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { CopyAs } from "../copy-as/index.ts";
import { SavedChoices } from "../saved-views/index.ts";
import {
	comparedDays,
	type Days,
	daysOf,
	reportQuery,
	ScreenHead,
	type SiteSearch,
	useChangeSearch,
	useReport,
	useSite,
	useSiteSearch,
} from "../site/index.ts";
import styles from "./funnels-screen.module.css";
import { StepEditor } from "./step-editor.tsx";
import { question, readSteps, type Step, writeSteps } from "./steps.ts";
import { t } from "./texts.ts";

const blank: readonly Step[] = [
	{ kind: "page", value: "" },
	{ kind: "page", value: "" },
];

/** How far visits get: steps that one chooses, and how many visits did each of them in this order. */
export function FunnelsScreen() {
	const search = useSiteSearch();
	const change = useChangeSearch();
	const known = useKnown();
	const inAddress = readSteps(search.view);
	const steps = inAddress.length > 0 ? inAddress : blank;
	const asked = question(steps);
	const presets = inAddress.every(({ value }) => value === "") ? presetsOf(known) : [];
	// Figures of an example say more than an empty card; a site without visits has none.
	const example = known.pages.length > 0 ? presets[0] : undefined;
	const shown = asked ?? (example && question(example.steps));
	const onChange = (next: readonly Step[]) => change({ view: writeSteps(next) });
	return (
		<>
			<ScreenHead title={t.title}>{asked && <CopyFunnel steps={asked} />}</ScreenHead>
			<div className="column-12">
				<Card label={t.steps}>
					<StepEditor steps={steps} onChange={onChange} {...known} />
					{presets.length > 0 && (
						<>
							<Suspense>
								<SavedChoices kind="funnel">
									{(views, open) => <Choices label={t.saved} choices={views} onChoose={open} />}
								</SavedChoices>
							</Suspense>
							<Choices label={t.presets} choices={presets} onChoose={({ steps }) => onChange(steps)} />
						</>
					)}
				</Card>
				<Card label={t.chart}>
					{asked === undefined && example && <p className="muted">{t.example(example.name)}</p>}
					{shown ? <AskedResult steps={shown} /> : <p className={styles.empty}>{t.incomplete}</p>}
				</Card>
			</div>
		</>
	);
}

/** Pages and events of these days, the frequent ones first. */
function useKnown() {
	const site = useSite();
	const query = reportQuery(site.id, useSiteSearch());
	const { segment_filters: _, segment: __, ...days } = query;
	const pages = useReport("GET /stats/pages", { ...days, include_content_group: false, page_size: 50 });
	const conversions = useReport("GET /stats/conversions", { ...days, page_size: 50 });
	const events = useReport("GET /stats/microconversions", { ...days, page_size: 50 });
	return {
		isLoaded: !pages.isPending && !conversions.isPending && !events.isPending,
		pages: pages.data?.data.map(({ path }) => readablePath(path)) ?? [],
		conversions: conversions.data?.data.map(({ conversion_type: type }) => type) ?? [],
		events: [...(conversions.data?.data ?? []), ...(events.data?.data ?? [])].map(({ conversion_type: type }) => type),
	};
}

interface ChoicesProps<Choice> {
	readonly label: string;
	readonly choices: readonly Choice[];
	readonly onChoose: (choice: Choice) => void;
}

const Choices = <Choice extends { readonly id?: number; readonly name: string }>({
	label,
	choices,
	onChoose,
}: ChoicesProps<Choice>) => (
	<p className={styles.add}>
		<span className="muted">{label}</span>
		{choices.map((choice) => (
			<Button
				key={choice.id ?? choice.name}
				small
				look="quiet"
				className={styles.preset}
				onClick={() => onChoose(choice)}
			>
				{choice.name}
			</Button>
		))}
	</p>
);

/** Funnels that this site could have, made of what happens on it; without events they end on a page. */
function presetsOf({ isLoaded, pages, conversions, events }: ReturnType<typeof useKnown>) {
	if (!isLoaded) return [];
	const last = conversions[0] ?? events[0];
	const end: Step = last === undefined ? { kind: "page", value: t.lastPage } : { kind: "event", value: last };
	const first = pages.includes("/") ? "/" : (pages[0] ?? "/");
	const others = pages.filter((path) => path !== first).slice(0, 2);
	const cart = events.find((type) => /cart|basket|checkout/.test(type));
	const page = (value: string | undefined): readonly Step[] => (value === undefined ? [] : [{ kind: "page", value }]);
	const stop: readonly Step[] = cart === undefined || cart === last ? [] : [{ kind: "event", value: cart }];
	return [[...page(first), ...stop, end], ...others.map((path) => [...page(path), end]), [...stop, end]]
		.filter((steps) => steps.length > 1)
		.map((steps) => ({ name: steps.map(({ value }) => value).join(" → "), steps }));
}

function AskedResult({ steps }: AskedProps) {
	const change = useChangeSearch();
	const asked = useParameters(steps);
	const now = useReport("POST /stats/funnel", asked.now);
	const before = useReport("POST /stats/funnel", asked.before ?? asked.now, asked.before !== undefined);
	// The figures of other steps are none of these.
	const same = before.isPlaceholderData || asked.before === undefined ? undefined : before.data;
	return <Loaded query={now}>{(data) => <FunnelResult now={data} before={same} onLonger={change} />}</Loaded>;
}

interface AskedProps {
	readonly steps: readonly string[];
}

/** How a funnel is asked for: in the days of the address, and in those before. */
function useParameters(steps: readonly string[]) {
	const site = useSite();
	const search = useSiteSearch();
	const { period: _, ...query } = reportQuery(site.id, search);
	const days = daysOf(search, todayIn(site.timezone));
	const earlier = comparedDays(search, days);
	const within = ({ from, to }: Days) => ({ ...query, start_date: from, end_date: to, steps });
	return { now: within(days), before: earlier && within(earlier) };
}

function CopyFunnel({ steps }: AskedProps) {
	const { now: params } = useParameters(steps);
	const { data } = useReport("POST /stats/funnel", params);
	return <CopyAs about={t.chart} route="POST /stats/funnel" params={params} rows={data && (() => data.steps)} />;
}

/** Answer of a funnel. */
type Funnel = Answer<"POST /stats/funnel">;

interface FunnelResultProps {
	readonly now: Funnel;
	readonly before: Funnel | undefined;
	readonly onLonger: (change: { readonly period: SiteSearch["period"] }) => void;
}

/** A funnel drawn and said in words. */
function FunnelResult({ now, before, onLonger }: FunnelResultProps) {
	if (now.total_entries === 0) {
		return (
			<div className={styles.empty}>
				<p>{t.nobody}</p>
				<Button small onClick={() => onLonger({ period: "90d" })}>
					{t.longer}
				</Button>
			</div>
		);
	}
	return (
		<>
			<FunnelChart label={t.chart} steps={now.steps.map((step, at) => bar(now, before, step, at))} />
			<p className={styles.sentence} role="status">
				{sentence(now, before)}
			</p>
			<p className="muted">{t.rule}</p>
		</>
	);
}

function bar(now: Funnel, before: Funnel | undefined, step: Funnel["steps"][number], at: number) {
	const above = now.steps[at - 1];
	const earlier = before?.steps[at];
	const lost = above === undefined ? 0 : above.count - step.count;
	return {
		key: String(step.step_number),
		label: readablePath(step.name),
		share: step.conversion_rate / 100,
		shareBefore:
			at > 0 && before !== undefined && before.total_entries > 0 ? (earlier?.conversion_rate ?? 0) / 100 : undefined,
		figure: count(step.count),
		rate: exact(step.conversion_rate, "rate"),
		before: earlier && t.before(count(earlier.count)),
		lost:
			above === undefined
				? undefined
				: lost === 0
					? t.allStay
					: t.left(`−${count(lost)}`, exact(step.drop_off_rate, "rate")),
	};
}

/** The funnel in two sentences: how many arrive, and where most are lost. */
function sentence(now: Funnel, before: Funnel | undefined): string {
	const rate = exact(now.overall_conversion_rate, "rate");
	const arrived = t.sentence(count(now.total_completions), rate, count(now.total_entries));
	const { start_date: from, end_date: to } = before?.date_range ?? { start_date: "", end_date: "" };
	const earlier =
		before && t.sentenceBefore(exact(before.overall_conversion_rate, "rate"), `${day(from)} – ${day(to)}`);
	const worst = now.steps.slice(1).reduce((most, step) => (step.drop_off_rate > most.drop_off_rate ? step : most));
	const source = now.steps[worst.step_number - 2];
	const where =
		worst.drop_off_rate > 0 && source
			? t.worst(readablePath(source.name), readablePath(worst.name), exact(worst.drop_off_rate, "rate"))
			: "";
	return `${arrived}${earlier ? ` (${earlier})` : ""}. ${where}`.trim();
}
