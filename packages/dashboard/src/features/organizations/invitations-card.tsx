import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, call } from "../../api/client.ts";
import { time } from "../../lib/format.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Check, Field, Select } from "../../ui/field/field.tsx";
import { Options } from "../../ui/field/options.tsx";
import { Cancel, Form, Submit } from "../../ui/form/form.tsx";
import { useChange } from "../../ui/form/use-change.ts";
import { Item } from "../../ui/items/items.tsx";
import { LoadedItems } from "../../ui/items/loaded-items.tsx";
import { Secret } from "../../ui/secret/secret.tsx";
import styles from "./organizations.module.css";
import { grantable, invitationsQuery, type OrgRole, orgSitesQuery } from "./queries.ts";
import { t } from "./texts.ts";

type Invitation = Answer<"GET /organizations/{slug}/invitations">["invitations"][number];

/** Pending invitations. */
export function InvitationsCard({ slug, role }: { readonly slug: string; readonly role: OrgRole }) {
	const query = useQuery(invitationsQuery(slug));
	const [open, setOpen] = useState<"form" | Sent>();
	return (
		<Card
			title={t.invitations}
			actions={open === undefined && <Button onClick={() => setOpen("form")}>{t.invite}</Button>}
		>
			<div className={styles.part}>
				{open === "form" && <InviteForm slug={slug} role={role} onSent={setOpen} onCancel={() => setOpen(undefined)} />}
				{open !== undefined && open !== "form" && <SentNow sent={open} onDone={() => setOpen(undefined)} />}
				<LoadedItems
					label={t.invitations}
					query={query}
					of={({ invitations }) => invitations.filter((one) => one.is_active && one.accepted_at === null)}
					empty={<p>{t.noInvitations}</p>}
				>
					{(one) => <InvitationItem key={one.id} slug={slug} invitation={one} />}
				</LoadedItems>
			</div>
		</Card>
	);
}

function SentNow({ sent, onDone }: { readonly sent: Sent; readonly onDone: () => void }) {
	return (
		<div className={styles.part}>
			<p role="status">{t.sent(sent.email)}</p>
			<Secret label={t.link} value={sent.link} />
			<Button onClick={onDone}>{t.done}</Button>
		</div>
	);
}

function InvitationItem({ slug, invitation }: { readonly slug: string; readonly invitation: Invitation }) {
	const path = { slug, id: invitation.id };
	const stale = ["GET /organizations/{slug}/invitations", "GET /audit/logs"];
	const resend = useChange({
		run: () => call("POST /organizations/{slug}/invitations/{id}/resend", { path }),
		stale,
		done: () => t.resent,
	});
	const takeBack = useChange({
		run: () => call("DELETE /organizations/{slug}/invitations/{id}", { path }),
		stale,
		done: () => t.takenBack,
	});
	const isOver = Date.parse(invitation.expires_at) <= Date.now();
	const role = t.roles[invitation.role].toLocaleLowerCase();
	return (
		<Item
			title={invitation.email}
			facts={`${t.invited(role, invitation.invited_by_name)} · ${t.until(time(invitation.expires_at))}`}
			state={isOver ? { text: t.expired, tone: "warn" } : { text: t.open, tone: "good" }}
			actions={
				<>
					<Button
						small
						disabled={resend.isBusy}
						aria-label={t.resendTo(invitation.email)}
						onClick={() => resend.run(undefined)}
					>
						{t.resend}
					</Button>
					<Button
						small
						disabled={takeBack.isBusy}
						aria-label={t.takeBackOf(invitation.email)}
						onClick={() => takeBack.run(undefined)}
					>
						{t.takeBack}
					</Button>
				</>
			}
		/>
	);
}

/** An invitation that has just left. */
interface Sent {
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
function InviteForm({ slug, role, onSent, onCancel }: InviteFormProps) {
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
					<p className="intro">{t.inviteSitesHint}</p>
					{sites.map(({ id, name }) => (
						<Check key={id} label={name} name="site_ids" value={id} defaultChecked={sites.length === 1} />
					))}
				</fieldset>
			)}
			<div className="row-centered">
				<Submit>{t.send}</Submit>
				<Cancel onClick={onCancel} />
			</div>
		</Form>
	);
}
