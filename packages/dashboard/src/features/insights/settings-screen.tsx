import { queryOptions, useQuery } from "@tanstack/react-query";
import { boot } from "../../api/boot.ts";
import { type Answer, call } from "../../api/client.ts";
import { may } from "../../api/may.ts";
import { texts } from "../../lib/language.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Area, Check, Select } from "../../ui/field/field.tsx";
import { useChange } from "../../ui/form/use-change.ts";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { Problem } from "../../ui/page/form-page.tsx";
import { NeedsRole } from "../settings/index.ts";
import { ScreenHead, useSite } from "../site/index.ts";
import styles from "./insights.module.css";

/** Words of the settings of insights. */
const t = texts({
	en: {
		title: "Insights",
		intro: "Automatic checks of your figures, with notifications.",
		outbox: "No mail server is configured: emails stay in the outbox.",
		enabled: "Enable insights",
		frequency: "Frequency",
		frequencies: {
			daily: "Every morning at 6:00",
			weekly: "Mondays at 6:00",
			manual: "Only on request",
		},
		mail: "Email me",
		red: "Serious",
		yellow: "Worth a look",
		green: "Good news",
		recipients: "Recipients",
		recipientsHint:
			"One address per line. If empty, insights go to the owners and the weekly report isn't sent. External recipients must confirm first.",
		save: "Save",
		saved: "Saved.",
	},
	es: {
		title: "Hallazgos",
		intro: "Comprobaciones automáticas de tus cifras, con avisos.",
		outbox: "No hay servidor de correo configurado: los mensajes quedan en la bandeja de salida.",
		enabled: "Activar hallazgos",
		frequency: "Frecuencia",
		frequencies: {
			daily: "Cada mañana a las 6:00",
			weekly: "Los lunes a las 6:00",
			manual: "Solo a petición",
		},
		mail: "Avisarme por correo",
		red: "Graves",
		yellow: "Merecen una mirada",
		green: "Buenas noticias",
		recipients: "Destinatarios",
		recipientsHint:
			"Una dirección por línea. Si está vacío, los hallazgos van a los propietarios y el informe semanal no se envía. Los destinatarios externos deben confirmar antes.",
		save: "Guardar",
		saved: "Guardado.",
	},
});

type Settings = Answer<"GET /lens/settings">;
const frequencies = ["daily", "weekly", "manual"] as const;

const settingsQuery = (site: string) =>
	queryOptions({
		queryKey: ["GET /lens/settings", { site }],
		queryFn: ({ signal }) => call("GET /lens/settings", { query: { account_id: site }, signal }),
	});

/** Settings of insights: on or off, frequency, recipients. */
export function InsightSettingsScreen() {
	const site = useSite();
	const settings = useQuery(settingsQuery(site.id));
	const mayChange = may("PATCH /lens/settings", site.role);
	return (
		<>
			<ScreenHead title={t.title} />
			<p className={styles.intro}>{t.intro}</p>
			{mayChange && boot.config?.mail === "outbox" && <p className={styles.intro}>{t.outbox}</p>}
			{mayChange ? (
				<Card label={t.title}>
					<Loaded query={settings}>{(data) => <SettingsForm key={data.updated_at} settings={data} />}</Loaded>
				</Card>
			) : (
				<NeedsRole least="editor" />
			)}
		</>
	);
}

const changesOf = (values: FormData) => {
	const isSet = (name: string) => values.get(name) !== null;
	return {
		is_enabled: isSet("is_enabled"),
		analysis_frequency: frequencies.find((one) => one === textOf(values, "analysis_frequency")) ?? "daily",
		notify_email: isSet("notify_email"),
		notify_on_red: isSet("notify_on_red"),
		notify_on_yellow: isSet("notify_on_yellow"),
		notify_on_green: isSet("notify_on_green"),
		email_recipients: textOf(values, "email_recipients")
			.split(/[\s,;]+/)
			.filter((address) => address !== ""),
	};
};

function SettingsForm({ settings }: { readonly settings: Settings }) {
	const { id } = useSite();
	const change = useChange({
		run: (body: ReturnType<typeof changesOf>) => call("PATCH /lens/settings", { query: { account_id: id }, body }),
		stale: ["GET /lens/settings"],
		done: () => t.saved,
	});
	const form = useForm((values) => change.mutateAsync(changesOf(values)), { draft: "insights" });
	return (
		<form className={styles.form} {...form.keeping}>
			<Problem failure={form.failure} />
			<Check label={t.enabled} name="is_enabled" defaultChecked={settings.is_enabled} />
			<Select label={t.frequency} name="analysis_frequency" defaultValue={settings.analysis_frequency}>
				{frequencies.map((one) => (
					<option key={one} value={one}>
						{t.frequencies[one]}
					</option>
				))}
			</Select>
			<Check label={t.mail} name="notify_email" defaultChecked={settings.notify_email} />
			<Check label={t.red} name="notify_on_red" defaultChecked={settings.notify_on_red} />
			<Check label={t.yellow} name="notify_on_yellow" defaultChecked={settings.notify_on_yellow} />
			<Check label={t.green} name="notify_on_green" defaultChecked={settings.notify_on_green} />
			<Area
				label={t.recipients}
				hint={t.recipientsHint}
				name="email_recipients"
				autoComplete="off"
				spellCheck={false}
				defaultValue={settings.email_recipients.join("\n")}
				error={form.errorOf("email_recipients")}
			/>
			<Button type="submit" look="primary" disabled={form.isBusy}>
				{t.save}
			</Button>
		</form>
	);
}
