import { useRef } from "react";
import { call } from "../../api/client.ts";
import { may } from "../../api/may.ts";
import { texts } from "../../lib/language.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Area } from "../../ui/field/field.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import { useChange } from "../../ui/form/use-change.ts";
import { useSite } from "../site/index.ts";
import styles from "./alert-verdict.module.css";
import { type Alert, isOpen } from "./alert-words.ts";

const t = texts({
	en: {
		note: "Note",
		acknowledge: "Acknowledge",
		keep: "Save note",
		resolved: "Resolve",
		falseAlarm: "False alarm",
		hint: "An acknowledged alert stays open until the metric is back to normal. Resolve and False alarm close it now.",
		acknowledged: (name: string) => `“${name}” acknowledged.`,
		closed: (name: string) => `“${name}” closed.`,
	},
	es: {
		note: "Nota",
		acknowledge: "Confirmar",
		keep: "Guardar nota",
		resolved: "Resolver",
		falseAlarm: "Falsa alarma",
		hint: "Una alerta confirmada sigue abierta hasta que la métrica vuelva a la normalidad. Resolver y Falsa alarma la cierran ahora.",
		acknowledged: (name: string) => `«${name}» confirmada.`,
		closed: (name: string) => `«${name}» cerrada.`,
	},
});

type Status = "acknowledged" | "resolved" | "false_positive";

/** Verdict and note of the user on an alert. Hidden without permission and once the alert has ended. */
export function AlertVerdict({ alert, onDone }: { readonly alert: Alert; readonly onDone: () => void }) {
	const site = useSite();
	const status = useRef<Status>("acknowledged");
	const change = useChange({
		run: (body: { readonly status: Status; readonly notes: string | null }) =>
			call("PATCH /alerts/history/{alert_id}", {
				path: { alert_id: alert.id },
				query: { account_id: site.id },
				body,
			}),
		stale: ["GET /alerts/history", "GET /alerts/stats", "GET /alerts/rules"],
		done: ({ status: now }) => (now === "acknowledged" ? t.acknowledged : t.closed)(alert.rule_name),
	});
	const form = useForm(async (values) => {
		await change.mutateAsync({ status: status.current, notes: textOf(values, "notes").trim() || null });
		onDone();
	});
	if (!isOpen(alert) || !may("PATCH /alerts/history/{alert_id}", site.role)) return null;
	const choose = (chosen: Status) => () => {
		status.current = chosen;
	};
	return (
		<Form form={form} className={styles.form}>
			<Area label={t.note} hint={t.hint} name="notes" rows={2} maxLength={1_000} defaultValue={alert.notes ?? ""} />
			<div className="row">
				<Submit small onClick={choose("acknowledged")}>
					{alert.status === "active" ? t.acknowledge : t.keep}
				</Submit>
				<Submit look="plain" small onClick={choose("resolved")}>
					{t.resolved}
				</Submit>
				<Submit look="plain" small onClick={choose("false_positive")}>
					{t.falseAlarm}
				</Submit>
			</div>
		</Form>
	);
}
