import { useQuery } from "@tanstack/react-query";
import { Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { may } from "../../api/may.ts";
import { exact } from "../../lib/format.ts";
import { useNear } from "../../lib/use-near.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { GoalForm, kindOfRule, RemoveRule, type Rule, rulesQuery, ruleValueQuery } from "../alerts/index.ts";
import { CopyAs } from "../copy-as/index.ts";
import { useSite } from "../site/index.ts";
import styles from "./goals.module.css";
import { t } from "./texts.ts";

/** Numbers to reach, and how far they are. */
export function ProgressCard() {
	const site = useSite();
	const [edited, setEdited] = useState<Rule | "new">();
	const rules = useQuery(rulesQuery(site.id));
	const goals = (all: readonly Rule[]) => all.filter(({ alert_type: type }) => type === "goal_reached");
	const close = () => setEdited(undefined);
	return (
		<Card
			title={t.goals}
			label={t.goals}
			actions={
				<div className={styles.aside}>
					{may("POST /alerts/rules", site.role) && (
						<Button small onClick={() => setEdited("new")}>
							<Plus size={16} aria-hidden="true" /> {t.newGoal}
						</Button>
					)}
					<CopyAs
						about={t.goals}
						route="GET /alerts/rules"
						params={{ account_id: site.id, include_inactive: true }}
						rows={rules.data && (() => goals(rules.data.rules))}
					/>
				</div>
			}
		>
			<Loaded query={rules} isEmpty={(data) => goals(data.rules).length === 0} empty={<p>{t.noGoals}</p>}>
				{(data) => (
					<ul className={styles.goals}>
						{goals(data.rules).map((goal) => (
							<Goal key={goal.id} goal={goal} onEdit={() => setEdited(goal)} />
						))}
					</ul>
				)}
			</Loaded>
			{edited && (
				<Dialog title={edited === "new" ? t.newGoal : t.editGoal} onClose={close}>
					<GoalForm goal={edited === "new" ? undefined : edited} onDone={close} />
				</Dialog>
			)}
		</Card>
	);
}

interface GoalProps {
	readonly goal: Rule;
	readonly onEdit: () => void;
}

function Goal({ goal, onEdit }: GoalProps) {
	const { id: site, currency, role } = useSite();
	const [ref, isNear] = useNear<HTMLLIElement>();
	const mayTest = may("POST /alerts/rules/{id}/test", role) && goal.is_active;
	const { data, isError } = useQuery({ ...ruleValueQuery(site, goal.id), enabled: mayTest && isNear });
	const now = data?.current_value;
	const target = goal.threshold_value;
	const kind = kindOfRule(goal);
	const period = goal.custom_condition?.period ?? "month";
	const isReached = typeof now === "number" && now >= target;
	const said = t.goalOf(typeof now === "number" ? exact(now, kind, currency) : "–", exact(target, kind, currency));
	return (
		<li ref={ref} className={isReached ? `${styles.goal} ${styles.reached}` : styles.goal}>
			<div className={styles.goalHead}>
				<strong>{goal.name}</strong>
				<div className={styles.goalActions}>
					{isReached && <span className={styles.good}>{t.reached}</span>}
					{may("PATCH /alerts/rules/{id}", role) && (
						<>
							<Button look="quiet" icon small aria-label={t.changeGoal(goal.name)} onClick={onEdit}>
								<Pencil size={14} aria-hidden="true" />
							</Button>
							<RemoveRule rule={goal} name={t.removeGoal(goal.name)}>
								<Trash2 size={14} aria-hidden="true" />
							</RemoveRule>
						</>
					)}
				</div>
			</div>
			<progress className={styles.progress} aria-label={goal.name} max={target} value={Math.min(now ?? 0, target)} />
			<p className={styles.note}>
				<span>{!goal.is_active ? t.off : isError || !mayTest ? t.unknown : said}</span>
				<span>{t.periods[period]}</span>
			</p>
		</li>
	);
}
