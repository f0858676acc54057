import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../api/client.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Check, Field, Select } from "../../ui/field/field.tsx";
import { Options } from "../../ui/field/options.tsx";
import { Cancel, Form, Submit } from "../../ui/form/form.tsx";
import { useChange } from "../../ui/form/use-change.ts";
import styles from "./organizations.module.css";
import { type OrgRole, orgSitesQuery } from "./queries.ts";
import { grantable } from "./roles.ts";
import { t } from "./texts.ts";

/** An invitation that has just left. */
export interface Sent {
	readonly email: string;
	/** Shown this once. */
	readonly link: string;
}

interface InviteFormProps {
	readonly slug: string;
	readonly role: OrgRole;
	readonly onSent: (sent: Sent) => void;
	readonly onCancel: () => void;
}

/** Whom to invite, as what, and to which sites. */
export function InviteForm({ slug, role, onSent, onCancel }: InviteFormProps) {
	const { data } = useQuery(orgSitesQuery(slug));
	const [chosen, setChosen] = useState<OrgRole>("member");
	const invite = useChange({
		run: (body: { email: string; role: OrgRole; site_ids: string[] }) =>
			call("POST /organizations/{slug}/invitations", { path: { slug }, body }),
		stale: ["GET /organizations/{slug}/invitations", "GET /audit/logs"],
	});
	const form = useForm(
		async (values) => {
			const email = textOf(values, "email").trim();
			const sites = values.getAll("site_ids").map(String);
			const sent = await invite.mutateAsync({ email, role: chosen, site_ids: sites });
			onSent({ email, link: sent.invitation_link });
		},
		{ draft: "invitation" },
	);
	const sites = (data?.sites ?? []).filter((site) => site.is_active);
	return (
		<Form form={form} className={styles.form}>
			<Field label={t.email} name="email" type="email" maxLength={254} autoComplete="off" required autoFocus />
			<Select
				label={t.inviteRole}
				value={chosen}
				onChange={({ target }) => setChosen(grantable(role).find((one) => one === target.value) ?? "member")}
				error={form.errorOf("role")}
			>
				<Options of={grantable(role)} text={(one) => t.roles[one]} />
			</Select>
			{chosen === "member" && sites.length > 0 && (
				<fieldset className={styles.choices}>
					<legend>{t.inviteSites}</legend>
					<p className={styles.muted}>{t.inviteSitesHint}</p>
					{sites.map(({ id, name }) => (
						<Check key={id} label={name} name="site_ids" value={id} defaultChecked={sites.length === 1} />
					))}
				</fieldset>
			)}
			<div className={styles.actions}>
				<Submit>{t.send}</Submit>
				<Cancel onClick={onCancel} />
			</div>
		</Form>
	);
}
