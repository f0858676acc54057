import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Button, buttonClass } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Check, Select } from "../../ui/field/field.tsx";
import { Items } from "../../ui/items/items.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { ScreenHead, useSite } from "../site/index.ts";
import { InsightItem } from "./insight-item.tsx";
import styles from "./insights.module.css";
import { type Choice, type Insight, insightsQuery, severities, types } from "./insights-query.ts";
import { t as strip } from "./strip-texts.ts";
import { t } from "./texts.ts";
import { groupsQuery } from "./use-insights.ts";

/** Insights of a site by rule, the most severe first. */
export function InsightsScreen() {
	const site = useSite();
	const [choice, setChoice] = useState<Choice>({ unread: false });
	const insights = useQuery(insightsQuery(site.id, choice));
	const isChosen = choice.unread || choice.severity !== undefined || choice.type !== undefined;
	return (
		<>
			<ScreenHead title={t.title}>
				<Link to="/sites/$id/insights/reports" params={{ id: site.id }} className={buttonClass()}>
					{t.reports}
				</Link>
				<Link to="/sites/$id/settings/insights" params={{ id: site.id }} className={buttonClass()}>
					{t.settings}
				</Link>
			</ScreenHead>
			<p className={styles.intro}>{t.intro}</p>
			<Filters choice={choice} onChoose={setChoice} />
			<Loaded
				query={insights}
				part="insights"
				isEmpty={(data) => data.insights.length === 0}
				empty={
					<>
						<p>{isChosen ? t.noneChosen : t.none}</p>
						{isChosen && <Button onClick={() => setChoice({ unread: false })}>{t.showAll}</Button>}
					</>
				}
			>
				{(data) => <Groups insights={data.insights} />}
			</Loaded>
		</>
	);
}

interface FiltersProps {
	readonly choice: Choice;
	readonly onChoose: (choice: Choice) => void;
}

function Filters({ choice, onChoose }: FiltersProps) {
	return (
		<div className={styles.filters}>
			<Select
				label={t.severity}
				value={choice.severity ?? ""}
				onChange={({ target }) =>
					onChoose({ ...choice, severity: severities.find((severity) => severity === target.value) })
				}
			>
				<option value="">{t.all}</option>
				{severities.map((severity) => (
					<option key={severity} value={severity}>
						{strip.severities[severity]}
					</option>
				))}
			</Select>
			<Select
				label={t.type}
				value={choice.type ?? ""}
				onChange={({ target }) => onChoose({ ...choice, type: types.find((type) => type === target.value) })}
			>
				<option value="">{t.all}</option>
				{types.map((type) => (
					<option key={type} value={type}>
						{t.types[type]}
					</option>
				))}
			</Select>
			<Check
				label={t.unread}
				checked={choice.unread}
				onChange={({ target }) => onChoose({ ...choice, unread: target.checked })}
			/>
		</div>
	);
}

/** One card a rule, in the order in which the rules are worst. */
function Groups({ insights }: { readonly insights: readonly Insight[] }) {
	const site = useSite();
	const { data } = useQuery(groupsQuery(site.id));
	const titles = new Map(data?.groups.map((group) => [group.group_key, group.group_title]));
	return (
		<div className="stack-16">
			{[...Map.groupBy(insights, (insight) => insight.source_rule ?? "")].map(([rule, list]) => {
				const title = titles.get(rule) ?? t.types[list[0]?.insight_type ?? "anomaly"];
				return (
					<Card key={rule} label={title} title={title}>
						<Items label={title}>
							{list.map((insight) => (
								<InsightItem key={insight.id} insight={insight} />
							))}
						</Items>
					</Card>
				);
			})}
		</div>
	);
}
