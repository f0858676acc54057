import { useSuspenseQuery } from "@tanstack/react-query";
import { call } from "../../api/client.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Check, Field, Select } from "../../ui/field/field.tsx";
import { Cancel, Form, Submit } from "../../ui/form/form.tsx";
import { useChange } from "../../ui/form/use-change.ts";
import { sitesQuery } from "../site/index.ts";
import styles from "./admin.module.css";
import { t } from "./users-texts.ts";

/** An account that a superadmin makes for somebody. */
export function NewUser({ onClose }: { readonly onClose: () => void }) {
	const add = useChange({
		run: (values: FormData) =>
			call("POST /users", {
				body: {
					name: textOf(values, "name"),
					email: textOf(values, "email"),
					password: textOf(values, "password"),
					role: textOf(values, "role") === "superadmin" ? "superadmin" : "user",
					account_ids: values.getAll("site").map(String),
				},
			}),
		stale: ["GET /users", "GET /audit/logs"],
		done: ({ name }) => t.created(name),
	});
	const form = useForm(async (values) => {
		await add.mutateAsync(values);
		onClose();
	});
	return (
		<Dialog title={t.add} onClose={onClose}>
			<Form form={form} className={styles.form}>
				<Field label={t.name} name="name" autoComplete="off" maxLength={255} required />
				<Field label={t.email} name="email" type="email" autoComplete="off" required />
				<Field
					label={t.password}
					name="password"
					type="password"
					autoComplete="new-password"
					minLength={12}
					maxLength={128}
					required
					hint={t.passwordHint}
				/>
				<Select label={t.role} name="role" defaultValue="user">
					<option value="user">{t.roles.user}</option>
					<option value="superadmin">{t.roles.superadmin}</option>
				</Select>
				<ReadSites />
				<div className={styles.actions}>
					<Cancel onClick={onClose} />
					<Submit>{t.create}</Submit>
				</div>
			</Form>
		</Dialog>
	);
}

function ReadSites() {
	const { data } = useSuspenseQuery(sitesQuery);
	if (data.sites.length === 0) return null;
	return (
		<fieldset className={styles.sites}>
			<legend>{t.reads}</legend>
			{data.sites.map(({ id, name }) => (
				<Check key={id} label={name} name="site" value={id} />
			))}
		</fieldset>
	);
}
