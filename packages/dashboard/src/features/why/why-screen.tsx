import { todayIn } from "../../lib/days.ts";
import { days as daysText, difference, exact } from "../../lib/format.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Baseline, baselineOf } from "../../ui/change/baseline.ts";
import { Change } from "../../ui/change/change.tsx";
import { Options } from "../../ui/field/options.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { CopyAs } from "../copy-as/index.ts";
import { InsightsStrip } from "../insights/index.ts";
import {
	comparedDays,
	daysOf,
	metrics,
	Nothing,
	ScreenHead,
	useChangeSearch,
	useReport,
	useSite,
	useSiteSearch,
} from "../site/index.ts";
import { causeRecords, type Explanation } from "./causes.ts";
import { CausesCard } from "./causes-card.tsx";
import { type ExplainInput, explainable, explainInput, isExplainable } from "./explain-input.ts";
import { own } from "./screen-texts.ts";
import { t } from "./texts.ts";
import styles from "./why-screen.module.css";

/** The change of a metric, split by each dimension. */
export function WhyScreen() {
	const site = useSite();
	const search = useSiteSearch();
	const metric = isExplainable(search.metric) ? search.metric : "entrances";
	const input = explainInput(site, search, { metric, today: todayIn(site.timezone) });
	return (
		<>
			<ScreenHead title={t.title}>
				<MetricChoice metric={metric} />
				{input && <CopyCauses input={input} />}
			</ScreenHead>
			<InsightsStrip />
			<div className={styles.causes}>{input ? <Causes input={input} /> : <Uncompared />}</div>
		</>
	);
}

function MetricChoice({ metric }: { readonly metric: string }) {
	const change = useChangeSearch();
	return (
		<select
			aria-label={own.metric}
			className={styles.metric}
			value={metric}
			onChange={(event) => change({ metric: event.target.value })}
		>
			<Options of={explainable} text={(key) => metrics[key].label} />
		</select>
	);
}

/** All dimensions at once. */
function CopyCauses({ input }: { readonly input: ExplainInput }) {
	const { data } = useReport("POST /stats/explain", input);
	return (
		<CopyAs
			about={t.title}
			route="POST /stats/explain"
			params={input}
			rows={data && (() => data.dimensions.flatMap(causeRecords))}
			sql={{ metric: input.metric }}
		/>
	);
}

function Uncompared() {
	const change = useChangeSearch();
	return (
		<Card className={styles.uncompared}>
			<p>{own.uncompared}</p>
			<Button onClick={() => change({ compare: "previous" })}>{own.compare}</Button>
		</Card>
	);
}

function Causes({ input }: { readonly input: ExplainInput }) {
	const query = useReport("POST /stats/explain", input);
	return (
		<Loaded query={query} isEmpty={isNothing} empty={<Nothing text={own.nothing} />}>
			{(explanation) => (
				<>
					<Total explanation={explanation} metric={input.metric} />
					<div className={styles.cards}>
						{explanation.dimensions
							.filter(({ rows }) => rows.some(({ value }) => value !== ""))
							.map((dimension) => (
								<CausesCard key={dimension.name} dimension={dimension} input={input} />
							))}
					</div>
				</>
			)}
		</Loaded>
	);
}

const isNothing = ({ total, dimensions }: Explanation): boolean =>
	total.now === 0 && total.before === 0 && dimensions.every(({ rows }) => rows.length === 0);

interface TotalProps {
	readonly explanation: Explanation;
	readonly metric: ExplainInput["metric"];
}

function Total({ explanation, metric: key }: TotalProps) {
	const { total } = explanation;
	const site = useSite();
	const search = useSiteSearch();
	const before = comparedDays(search, daysOf(search, todayIn(site.timezone)));
	const { label, kind, good } = metrics[key];
	const { currency } = site;
	return (
		<p className={styles.total}>
			<strong>
				{label}: {exact(total.now, kind, currency)}
			</strong>
			<b>{difference(total.change, kind, currency)}</b>
			<Baseline value={baselineOf(explanation)}>
				<Change now={total.now} before={total.before} kind={kind} good={good} currency={currency} />
			</Baseline>
			{before && <span>{own.against(daysText(before.from, before.to))}</span>}
		</p>
	);
}
