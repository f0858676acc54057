import { useQuery } from "@tanstack/react-query";
import { Diamond } from "lucide-react";
import type { ReactNode } from "react";
import { type Answer, call } from "../../api/client.ts";
import { isShared } from "../../api/shared.ts";
import { timeIn, todayIn } from "../../lib/days.ts";
import { exact, time } from "../../lib/format.ts";
import { plural, texts } from "../../lib/language.ts";
import { useLater } from "../../lib/use-later.ts";
import { Popover } from "../../ui/popover/popover.tsx";
import { metrics, useSite } from "../site/index.ts";
import styles from "./alert-marks.module.css";
import type { Drawn } from "./drawn.ts";

const t = texts({
	en: {
		alerts: (n: number, names: string) => `${n} ${plural(n, "alert", "alerts")}: ${names}`,
		value: (now: string, baseline: string) => `${now} instead of ${baseline}`,
	},
	es: {
		alerts: (n: number, names: string) => `${n} ${plural(n, "alerta", "alertas")}: ${names}`,
		value: (now: string, baseline: string) => `${now} en vez de ${baseline}`,
	},
});

type Alert = Answer<"GET /alerts/history">["alerts"][number];

/** The alerts of the drawn days, as marks below the axis; undefined where there are none. */
export function useAlertMarks(drawn: Drawn): ((placeOf: (index: number) => string) => ReactNode) | undefined {
	const site = useSite();
	const query = { account_id: site.id, from_date: drawn.days.from, to_date: drawn.days.to, limit: 100 };
	const { data } = useQuery({
		queryKey: ["GET /alerts/history", query],
		queryFn: ({ signal }) => call("GET /alerts/history", { query, signal }),
		enabled: useLater() && !isShared,
	});
	const byPoint = Map.groupBy(data?.alerts ?? [], (alert) => pointOf(alert, drawn, site.timezone));
	byPoint.delete(-1);
	if (byPoint.size === 0) return undefined;
	return (placeOf) => (
		<div className={styles.row}>
			{[...byPoint].map(([index, alerts]) => (
				<div key={index} className={styles.mark} style={{ insetInlineStart: placeOf(index) }}>
					<Mark alerts={alerts} />
				</div>
			))}
		</div>
	);
}

/** The point in whose time an alert was raised; -1 outside of the days. */
function pointOf({ triggered_at }: Alert, { points }: Drawn, zone: string): number {
	const moment = new Date(triggered_at);
	const day = todayIn(zone, moment);
	const hour = Number(timeIn(zone, moment).slice(0, 2));
	return points.findIndex(({ at }) => at.date <= day && day <= at.until && (at.hour === undefined || at.hour === hour));
}

function Mark({ alerts }: { readonly alerts: readonly Alert[] }) {
	const names = alerts.map(({ rule_name }) => rule_name).join(", ");
	return (
		<Popover
			look="quiet"
			small
			icon
			name={t.alerts(alerts.length, names)}
			label={<Diamond size={12} aria-hidden="true" />}
		>
			{() => (
				<ul className={styles.alerts}>
					{alerts.map((alert) => (
						<li key={alert.id}>
							<strong>{alert.rule_name}</strong>
							<span>{time(alert.triggered_at)}</span>
							{alert.baseline_value !== null && <span>{valuesOf(alert)}</span>}
							{alert.notes && <q>{alert.notes}</q>}
						</li>
					))}
				</ul>
			)}
		</Popover>
	);
}

function valuesOf({ metric, current_value, baseline_value }: Alert): string {
	const { kind } = metric in metrics ? metrics[metric as keyof typeof metrics] : metrics.entrances;
	return t.value(exact(current_value, kind), exact(baseline_value ?? 0, kind));
}
