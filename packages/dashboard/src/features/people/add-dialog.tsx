import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { asFailure } from "../../lib/failure.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Field, Select } from "../../ui/field/field.tsx";
import { Options } from "../../ui/field/options.tsx";
import { RecordForm } from "../../ui/form/record-form.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { Secret } from "../../ui/secret/secret.tsx";
import type { Site } from "../site/index.ts";
import styles from "./people.module.css";
import { t } from "./texts.ts";
import { membersQuery, type Person, type Role, rolesBy, useInvitations, usePeople } from "./use-people.ts";

interface AddDialogProps {
	readonly site: Site;
	/** The organization's; it does not exist for a reader who does not belong to it. */
	readonly slug: string | null;
	/** True for owners and admins of the organization. */
	readonly mayInvite: boolean;
	readonly people: readonly Person[];
	readonly onClose: () => void;
}

/** Gives a member of the organization a role on the site, or invites an address to it. */
export function AddDialog({ site, slug, mayInvite, people, onClose }: AddDialogProps) {
	const query = useQuery(membersQuery(slug));
	const [sent, setSent] = useState<Sent>();
	if (sent !== undefined) {
		return (
			<Dialog title={t.invite} onClose={onClose}>
				<div className={styles.sent}>
					<p role="status">{t.sent(sent.email)}</p>
					<Secret label={t.link} value={sent.link} />
					<Button onClick={onClose}>{t.done}</Button>
				</div>
			</Dialog>
		);
	}
	return (
		<Dialog title={mayInvite ? t.invite : t.add} onClose={onClose}>
			{slug === null || (query.error && asFailure(query.error).status === 404) ? (
				<p>{t.elsewhere}</p>
			) : (
				<Loaded query={query}>
					{({ members }) => {
						const left = members.filter(({ user_id: id }) => people.every((person) => person.user_id !== id));
						if (mayInvite) return <InviteForm site={site} slug={slug} left={left} onSent={setSent} onClose={onClose} />;
						return left.length === 0 ? <p>{t.everybody}</p> : <AddForm site={site} left={left} onClose={onClose} />;
					}}
				</Loaded>
			)}
		</Dialog>
	);
}

/** An invitation that was sent, with the link that is shown once. */
interface Sent {
	readonly email: string;
	readonly link: string;
}

interface AddFormProps extends Pick<AddDialogProps, "site" | "onClose"> {
	/** Members of the organization without a role on the site. */
	readonly left: readonly Pick<Person, "user_id" | "name" | "email">[];
}

function AddForm({ site, left, onClose }: AddFormProps) {
	const { add } = usePeople(site.id);
	const form = useForm(async (values) => {
		await add.mutateAsync({ user_id: Number(textOf(values, "user_id")), role: textOf(values, "role") as Role });
		onClose();
	});
	return (
		<RecordForm form={form} action={t.add} onCancel={onClose}>
			<Select label={t.person} name="user_id" required autoFocus>
				{left.map(({ user_id: id, name, email }) => (
					<option key={id} value={id}>
						{name} · {email}
					</option>
				))}
			</Select>
			<RoleField site={site} />
		</RecordForm>
	);
}

interface InviteFormProps extends AddFormProps {
	readonly slug: string;
	readonly onSent: (sent: Sent) => void;
}

/** Members get the role at once, other addresses by invitation. */
function InviteForm({ site, slug, left, onSent, onClose }: InviteFormProps) {
	const { add } = usePeople(site.id);
	const { invite } = useInvitations(site.id, slug);
	const addresses = useId();
	const form = useForm(
		async (values) => {
			const email = textOf(values, "email").trim().toLowerCase();
			const role = textOf(values, "role") as Role;
			const member = left.find((one) => one.email === email);
			if (member === undefined) {
				const { invitation_link: link } = await invite.mutateAsync({ email, role });
				return onSent({ email, link });
			}
			await add.mutateAsync({ user_id: member.user_id, role });
			onClose();
		},
		{ draft: "site-invitation" },
	);
	return (
		<RecordForm form={form} action={t.invite} onCancel={onClose}>
			<Field
				label={t.email}
				name="email"
				type="email"
				list={addresses}
				maxLength={254}
				autoComplete="off"
				required
				data-first
				hint={t.inviteHint}
			/>
			<datalist id={addresses}>
				{left.map(({ email, name }) => (
					<option key={email} value={email} label={name} />
				))}
			</datalist>
			<RoleField site={site} error={form.errorOf("site_role")} />
		</RecordForm>
	);
}

function RoleField({ site, error }: { readonly site: Site; readonly error?: string | undefined }) {
	return (
		<Select label={t.role} name="role" error={error}>
			<Options of={rolesBy(site.role)} text={(role) => `${t.roles[role]}: ${t.means[role]}`} />
		</Select>
	);
}
