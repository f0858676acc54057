import { useQuery } from "@tanstack/react-query";
import { Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { may } from "../../api/may.ts";
import { exact } from "../../lib/format.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { GoalForm, goalsQuery, kindOfRule, RemoveRule, type Rule } from "../alerts/index.ts";
import { CopyAs } from "../copy-as/index.ts";
import { useSite } from "../site/index.ts";
import styles from "./goals.module.css";
import { t } from "./texts.ts";

/** Numbers to reach, and how far they are. */
export function ProgressCard() {
	const site = useSite();
	const [edited, setEdited] = useState<Rule | "new" | "example">();
	const goals = useQuery(goalsQuery(site.id));
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
						params={{ account_id: site.id, include_inactive: true, include_progress: true }}
						rows={goals.data && (() => goals.data)}
					/>
				</div>
			}
		>
			<Loaded
				query={goals}
				part="progress"
				isEmpty={(all) => all.length === 0}
				empty={
					<>
						<p>{t.noGoals}</p>
						{may("POST /alerts/rules", site.role) && (
							<Button small onClick={() => setEdited("example")}>
								{t.example}
							</Button>
						)}
					</>
				}
			>
				{(all) => (
					<ul className={styles.goals}>
						{all.map((goal) => (
							<Goal key={goal.id} goal={goal} onEdit={() => setEdited(goal)} />
						))}
					</ul>
				)}
			</Loaded>
			{edited && (
				<Dialog title={typeof edited === "string" ? t.newGoal : t.editGoal} onClose={close}>
					<GoalForm
						goal={typeof edited === "string" ? undefined : edited}
						isExample={edited === "example"}
						onDone={close}
					/>
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
	const { currency, role } = useSite();
	const { progress: now, threshold_value: target } = goal;
	const kind = kindOfRule(goal);
	const period = goal.custom_condition?.period ?? "month";
	const isReached = now !== undefined && now >= target;
	return (
		<li className={isReached ? `${styles.goal} ${styles.reached}` : styles.goal}>
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
				<span>
					{!goal.is_active
						? t.off
						: now === undefined
							? t.unknown
							: t.goalOf(exact(now, kind, currency), exact(target, kind, currency))}
				</span>
				<span>{t.periods[period]}</span>
			</p>
		</li>
	);
}
