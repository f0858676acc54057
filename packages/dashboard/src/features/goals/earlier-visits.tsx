import { useQueryClient } from "@tanstack/react-query";
import { call } from "../../api/client.ts";
import { days } from "../../lib/format.ts";
import { useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Problem } from "../../ui/page/form-page.tsx";
import { toast } from "../../ui/toast/toast.tsx";
import { type Site, useSite } from "../site/index.ts";
import styles from "./goals.module.css";
import { t } from "./texts.ts";

/** A page or event that counts without code, and the earlier visits that reached it. */
export interface Earlier {
	readonly goal: Site["goals"][number];
	readonly visits: number;
	/** Examined days; null if the site has none before today. */
	readonly from: string | null;
	readonly to: string | null;
}

/** Counts earlier visits, or finds out how many there are; a request ends after some seconds, and another one continues. */
export async function countEarlier(siteId: string, goal: Earlier["goal"], isDryRun: boolean): Promise<Earlier> {
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

interface DialogProps {
	readonly earlier: Earlier;
	readonly onClose: () => void;
}

/** Offers to count the earlier visits. */
export function EarlierVisitsDialog({ earlier: { goal, visits, from, to }, onClose }: DialogProps) {
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
				<div className={styles.form}>
					<p>{t.noEarlier(goal.pattern)}</p>
					<p className={styles.note}>{t.earlierLimits}</p>
				</div>
			</Dialog>
		);
	}
	return (
		<Dialog title={t.earlierTitle} onClose={onClose}>
			<form className={styles.form} onSubmit={form.onSubmit}>
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
