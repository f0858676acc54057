import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { may } from "../../api/may.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { LoadedItems } from "../../ui/items/loaded-items.tsx";
import { report, useSite } from "../site/index.ts";
import type { Rule } from "./alert-words.ts";
import styles from "./alerts.module.css";
import { t as formTexts } from "./form-texts.ts";
import { GoalForm } from "./goal-form.tsx";
import { RuleForm } from "./rule-form.tsx";
import { RuleItem } from "./rule-item.tsx";
import { rulesQuery } from "./rules-query.ts";
import { t } from "./screen-texts.ts";

/** The rules of the site. */
export function RulesCard() {
	const site = useSite();
	const rules = useQuery(rulesQuery(site.id));
	const [edited, setEdited] = useState<Rule | "new">();
	const mayAdd = may("POST /alerts/rules", site.role);
	const add = (text: string, look: "plain" | "primary") => (
		<Button look={look} small={look === "plain"} onClick={() => setEdited("new")}>
			<Plus size={16} aria-hidden="true" /> {text}
		</Button>
	);
	return (
		<Card title={t.rules} label={t.rules} actions={mayAdd && rules.data?.total !== 0 && add(t.newRule, "plain")}>
			<LoadedItems
				label={t.rules}
				query={rules}
				of={(data) => data.rules}
				empty={
					<div className={styles.empty}>
						<p>{t.noRules}</p>
						{mayAdd && add(t.firstRule, "primary")}
					</div>
				}
			>
				{(rule) => <RuleItem key={rule.id} rule={rule} onEdit={() => setEdited(rule)} />}
			</LoadedItems>
			{edited && <Editor edited={edited} onClose={() => setEdited(undefined)} />}
		</Card>
	);
}

/** The form of a rule, or of a goal, above the screen. */
function Editor({ edited, onClose }: { readonly edited: Rule | "new"; readonly onClose: () => void }) {
	const size = useSize();
	if (edited !== "new" && edited.alert_type === "goal_reached") {
		return (
			<Dialog title={t.changeGoal} onClose={onClose}>
				<GoalForm goal={edited} onDone={onClose} />
			</Dialog>
		);
	}
	const rule = edited === "new" ? undefined : edited;
	return (
		<Dialog title={rule ? formTexts.changeRule : formTexts.newRule} onClose={onClose}>
			{/* What the form proposes depends on the size of the site; without an answer it asks nothing of it. */}
			{size !== undefined && <RuleForm rule={rule} pageViewsADay={size} onDone={onClose} />}
		</Dialog>
	);
}

const days = 30;

/** Page views a day of the last thirty; 0 when unknown, undefined while loading. */
function useSize(): number | undefined {
	const { id } = useSite();
	const query = useQuery(report("GET /stats/overview", { site_id: id, period: "30d", series: ["page_views"] }));
	if (query.isError) return 0;
	return query.data && Math.round(query.data.traffic.page_views / days);
}
