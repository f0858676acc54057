import { Link } from "@tanstack/react-router";
import { ArrowRight } from "lucide-react";
import { todayIn } from "../../lib/days.ts";
import { difference, exact, percent } from "../../lib/format.ts";
import { baselineOf } from "../../ui/change/baseline.ts";
import {
	changed,
	metrics,
	shared,
	useChangeSearch,
	useReport,
	useSite,
	useSiteSearch,
	valueName,
	withValue,
} from "../site/index.ts";
import { type Cause, type MainCauses, mainCauses } from "./causes.ts";
import { type ExplainInput, explainInput, isExplainable } from "./explain-input.ts";
import { t } from "./texts.ts";
import styles from "./why-chips.module.css";

/** One of each kind of cause: where visits come from, where they land, where and with what people are. */
const asked = ["channel_group", "utm_source", "utm_campaign", "landing_page", "country", "device_type"] as const;

/** The values that explain the change of a metric, in one line; nothing where the metric has no parts or no comparison. */
export function WhyChips({ metric }: { readonly metric: string }) {
	const site = useSite();
	const search = useSiteSearch();
	if (!isExplainable(metric)) return null;
	const input = explainInput(site, search, { metric, today: todayIn(site.timezone) }, asked);
	return input && <Chips input={input} />;
}

function Chips({ input }: { readonly input: ExplainInput }) {
	const site = useSite();
	const search = useSiteSearch();
	const { data } = useReport("POST /stats/explain", input);
	const causes = data && mainCauses(data);
	// Days before the first one with data explain nothing.
	if (baselineOf(data) !== undefined || (data?.total.now === 0 && data.total.before === 0)) return null;
	return (
		<section aria-label={t.line} className={styles.line}>
			<h2>{t.title}</h2>
			<div className={styles.causes}>
				{causes?.rows.map((cause) => (
					<Chip key={cause.value} cause={cause} of={causes} metric={input.metric} />
				))}
				{causes && (
					<span className={styles.rest}>
						{(causes.rows.length === 1 ? t.explains : t.explain)(percent(causes.explained))}
					</span>
				)}
				{data && !causes && <span className={styles.rest}>{t.even}</span>}
			</div>
			<Link
				to="/sites/$id/why"
				params={{ id: site.id }}
				search={changed(search, { ...shared(search), panel: undefined, metric: input.metric })}
				className={styles.all ?? ""}
			>
				{t.all}
				<ArrowRight size={14} aria-hidden="true" />
			</Link>
		</section>
	);
}

interface ChipProps {
	readonly cause: Cause;
	readonly of: MainCauses;
	readonly metric: ExplainInput["metric"];
}

function Chip({ cause, of: { name }, metric: key }: ChipProps) {
	const { currency } = useSite();
	const { f } = useSiteSearch();
	const change = useChangeSearch();
	const { kind } = metrics[key];
	const shown = valueName(name, cause.value);
	return (
		<button
			type="button"
			className={styles.chip}
			title={`${shown}: ${t.now(exact(cause.now, kind, currency), exact(cause.before, kind, currency))}`}
			aria-description={t.filter(shown)}
			onClick={() => change({ f: withValue(f, name, cause.value) })}
		>
			<span className={styles.value}>{shown}</span>
			<b data-way={cause.change > 0 ? "up" : "down"}>{difference(cause.change, kind, currency)}</b>
		</button>
	);
}
