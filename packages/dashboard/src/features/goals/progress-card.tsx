import { useQueries, useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { type Answer, call } from "../../api/client.ts";
import { may } from "../../api/may.ts";
import { exact, type Kind } from "../../lib/format.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { CopyAs } from "../copy-as/index.ts";
import { useSite } from "../site/index.ts";
import { GoalEditor } from "./goal-editor.tsx";
import styles from "./goals.module.css";
import { rulesQuery } from "./rules-query.ts";
import { t } from "./texts.ts";

type Rule = Answer<"GET /alerts/rules">["rules"][number];

/** Numbers to reach, and how far they are. */
export function ProgressCard() {
	const site = useSite();
	const [isOpen, setOpen] = useState(false);
	const rules = useQuery(rulesQuery(site.id));
	const goals = (all: readonly Rule[]) => all.filter(({ alert_type: type }) => type === "goal_reached");
	const isEditor = may("POST /alerts/rules", site.role);
	return (
		<Card
			title={t.goals}
			label={t.goals}
			actions={
				<div className={styles.aside}>
					{isEditor && (
						<Button small onClick={() => setOpen(true)}>
							<Plus size={16} aria-hidden="true" /> {t.newGoal}
						</Button>
					)}
					<CopyAs
						about={t.goals}
						route="GET /alerts/rules"
						params={{ account_id: site.id }}
						rows={rules.data && (() => goals(rules.data.rules))}
					/>
				</div>
			}
		>
			<Loaded query={rules} isEmpty={(data) => goals(data.rules).length === 0} empty={<p>{t.noGoals}</p>}>
				{(data) => <Goals goals={goals(data.rules)} />}
			</Loaded>
			{isOpen && (
				<Dialog title={t.newGoal} onClose={() => setOpen(false)}>
					<GoalEditor onDone={() => setOpen(false)} />
				</Dialog>
			)}
		</Card>
	);
}

function Goals({ goals }: { readonly goals: readonly Rule[] }) {
	const site = useSite();
	const mayTest = may("POST /alerts/rules/{id}/test", site.role);
	const tests = useQueries({
		queries: goals.map(({ id }) => ({
			queryKey: ["POST /alerts/rules/{id}/test", { id, site: site.id }],
			queryFn: ({ signal }: { signal: AbortSignal }) =>
				call("POST /alerts/rules/{id}/test", {
					path: { id },
					query: { account_id: site.id },
					body: { send_notification: false },
					signal,
				}),
			enabled: mayTest,
			staleTime: 60_000,
		})),
	});
	return (
		<ul className={styles.goals}>
			{goals.map((goal, at) => (
				<Goal
					key={goal.id}
					goal={goal}
					now={tests[at]?.data?.current_value}
					isKnown={tests[at]?.isError !== true && mayTest}
				/>
			))}
		</ul>
	);
}

const kindOf = ({ metric, custom_condition: condition }: Rule): Kind =>
	metric === "custom" && condition?.metric === "revenue" ? "money" : "count";

interface GoalProps {
	readonly goal: Rule;
	readonly now: number | null | undefined;
	/** False where the value may not be asked, or could not. */
	readonly isKnown: boolean;
}

function Goal({ goal, now, isKnown }: GoalProps) {
	const { currency } = useSite();
	const target = goal.threshold_value;
	const kind = kindOf(goal);
	const period = goal.custom_condition?.period ?? "month";
	const isReached = typeof now === "number" && now >= target;
	const said = t.goalOf(typeof now === "number" ? exact(now, kind, currency) : "–", exact(target, kind, currency));
	return (
		<li className={isReached ? `${styles.goal} ${styles.reached}` : styles.goal}>
			<div className={styles.goalHead}>
				<strong>{goal.name}</strong>
				{isReached && <span className={styles.good}>{t.reached}</span>}
			</div>
			<progress className={styles.progress} aria-label={goal.name} max={target} value={Math.min(now ?? 0, target)} />
			<p className={styles.note}>
				<span>{isKnown ? said : t.unknown}</span>
				<span>{t.periods[period]}</span>
			</p>
		</li>
	);
}
