import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, call } from "../../api/client.ts";
import { todayIn } from "../../lib/days.ts";
import { days } from "../../lib/format.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { AddButton } from "../../ui/button/add-button.tsx";
import { Button } from "../../ui/button/button.tsx";
import { Check, Field, Select } from "../../ui/field/field.tsx";
import { Options } from "../../ui/field/options.tsx";
import { Cancel, Form, Submit } from "../../ui/form/form.tsx";
import { useChange } from "../../ui/form/use-change.ts";
import { Secret } from "../../ui/secret/secret.tsx";
import { sitesQuery } from "../site/index.ts";
import { firstCall } from "./first-call.ts";
import styles from "./keys.module.css";
import { t } from "./texts.ts";

type Made = Answer<"POST /api-tokens">;

/** A new key in three clicks: the form comes filled in, the value is shown once, with a call that works. */
export function MakeKey() {
	const [open, setOpen] = useState<"form" | Made>();
	if (open === undefined) {
		return <AddButton onClick={() => setOpen("form")}>{t.add}</AddButton>;
	}
	const close = () => setOpen(undefined);
	return open === "form" ? <KeyForm onMade={setOpen} onCancel={close} /> : <MadeKey made={open} onDone={close} />;
}

function MadeKey({ made, onDone }: { readonly made: Made; readonly onDone: () => void }) {
	return (
		<div className={styles.made}>
			<h3>{t.made(made.name)}</h3>
			<Secret label={t.key} value={made.token} />
			<Secret label={t.curl} value={firstCall(made.scopes, made.account_ids[0], made.token)} isShownOnce={false} />
			<Button onClick={onDone}>{t.done}</Button>
		</div>
	);
}

const scopes = ["stats:read", "sites:read", "accounts:read"] as const;
const lives = [30, 90, 365] as const;

interface KeyFormProps {
	readonly onMade: (made: Answer<"POST /api-tokens">) => void;
	readonly onCancel: () => void;
}

/** Form of an API key: scopes, sites and expiry. */
function KeyForm({ onMade, onCancel }: KeyFormProps) {
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
				<p className="caption">{t.mayHint}</p>
				{fault === "scopes" && <p className="fault">{t.oneScope}</p>}
			</fieldset>
			<SiteChoice fault={fault === "sites" ? t.oneSite : undefined} />
			<Select label={t.ends} name="expires_in_days" defaultValue="">
				<option value="">{t.never}</option>
				<Options of={lives} text={(life) => t.inDays(life)} />
			</Select>
			<div className="row">
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
			{fault && <p className="fault">{fault}</p>}
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
