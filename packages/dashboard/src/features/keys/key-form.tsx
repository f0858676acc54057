import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, call } from "../../api/client.ts";
import { todayIn } from "../../lib/days.ts";
import { days } from "../../lib/format.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Check, Field, Select } from "../../ui/field/field.tsx";
import { Options } from "../../ui/field/options.tsx";
import { Cancel, Form, Submit } from "../../ui/form/form.tsx";
import { useChange } from "../../ui/form/use-change.ts";
import { sitesQuery } from "../site/index.ts";
import styles from "./keys.module.css";
import { t } from "./texts.ts";

const scopes = ["stats:read", "sites:read", "accounts:read"] as const;
const lives = [30, 90, 365] as const;

interface KeyFormProps {
	readonly onMade: (made: Answer<"POST /api-tokens">) => void;
	readonly onCancel: () => void;
}

/** Form of an API key: scopes, sites and expiry. */
export function KeyForm({ onMade, onCancel }: KeyFormProps) {
	const [fault, setFault] = useState<"scopes" | "sites">();
	const make = useChange({
		run: (values: FormData) => call("POST /api-tokens", { body: bodyOf(values) }),
		stale: ["GET /api-tokens"],
	});
	const form = useForm(
		async (values) => {
			const missing = missingIn(values);
			setFault(missing);
			if (missing === undefined) onMade(await make.mutateAsync(values));
		},
		{ draft: "key" },
	);
	const today = todayIn(Intl.DateTimeFormat().resolvedOptions().timeZone);
	return (
		<Form form={form} className={styles.form}>
			<Field
				label={t.name}
				hint={t.nameHint}
				name="name"
				defaultValue={t.usual(days(today, today))}
				maxLength={100}
				required
			/>
			<fieldset className={styles.choices}>
				<legend>{t.may}</legend>
				{scopes.map((scope) => (
					<Check
						key={scope}
						label={t.scopes[scope][0] ?? scope}
						hint={t.scopes[scope][1]}
						name="scopes"
						value={scope}
						defaultChecked={scope === "stats:read"}
					/>
				))}
				<p className={styles.hint}>{t.mayHint}</p>
				{fault === "scopes" && <p className={styles.fault}>{t.oneScope}</p>}
			</fieldset>
			<SiteChoice fault={fault === "sites" ? t.oneSite : undefined} />
			<Select label={t.ends} name="expires_in_days" defaultValue="">
				<option value="">{t.never}</option>
				<Options of={lives} text={(life) => t.inDays(life)} />
			</Select>
			<div className={styles.actions}>
				<Submit>{t.make}</Submit>
				<Cancel onClick={onCancel} />
			</div>
		</Form>
	);
}

function SiteChoice({ fault }: { readonly fault: string | undefined }) {
	const { data } = useSuspenseQuery(sitesQuery);
	const [isSome, setSome] = useState(false);
	return (
		<fieldset className={styles.choices} onChange={({ target }) => isReach(target) && setSome(target.value === "some")}>
			<legend>{t.sites}</legend>
			<label className={styles.radio}>
				<input type="radio" name="reach" value="all" defaultChecked /> {t.all}
			</label>
			<label className={styles.radio}>
				<input type="radio" name="reach" value="some" /> {t.some}
			</label>
			{isSome && (
				<div className={styles.sites}>
					{data.sites.map(({ id, name }) => (
						<Check key={id} label={name} name="account_ids" value={id} />
					))}
				</div>
			)}
			{fault && <p className={styles.fault}>{fault}</p>}
		</fieldset>
	);
}

const isReach = (target: EventTarget): target is HTMLInputElement =>
	target instanceof HTMLInputElement && target.name === "reach";

function missingIn(values: FormData): "scopes" | "sites" | undefined {
	if (!values.has("scopes")) return "scopes";
	return values.get("reach") === "some" && !values.has("account_ids") ? "sites" : undefined;
}

function bodyOf(values: FormData) {
	const life = textOf(values, "expires_in_days");
	const chosen = values.getAll("scopes");
	return {
		name: textOf(values, "name"),
		scopes: scopes.filter((scope) => chosen.includes(scope)),
		account_ids: values.get("reach") === "some" ? values.getAll("account_ids").map(String) : null,
		expires_in_days: life === "" ? null : Number(life),
	};
}
