import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, call } from "../../api/client.ts";
import { time } from "../../lib/format.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { useChange } from "../../ui/form/use-change.ts";
import { Item } from "../../ui/items/items.tsx";
import { LoadedItems } from "../../ui/items/loaded-items.tsx";
import { Secret } from "../../ui/secret/secret.tsx";
import { InviteForm, type Sent } from "./invite-form.tsx";
import styles from "./organizations.module.css";
import { invitationsQuery, type OrgRole } from "./queries.ts";
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
