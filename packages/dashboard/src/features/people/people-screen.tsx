import { useQuery, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useId, useState } from "react";
import { may } from "../../api/may.ts";
import { asFailure } from "../../lib/failure.ts";
import { time } from "../../lib/format.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { AddButton } from "../../ui/button/add-button.tsx";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { ConfirmDialog } from "../../ui/confirm/confirm-dialog.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import field from "../../ui/field/field.module.css";
import { Field, Select } from "../../ui/field/field.tsx";
import { Options } from "../../ui/field/options.tsx";
import { RecordForm } from "../../ui/form/record-form.tsx";
import { Item, Items } from "../../ui/items/items.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { Secret } from "../../ui/secret/secret.tsx";
import { meQuery, ScreenHead, type Site, sitesQuery, useLeadsOrganization, usePanel, useSite } from "../site/index.ts";
import styles from "./people.module.css";
import { t } from "./texts.ts";
import {
	invitationsQuery,
	membersQuery,
	type Person,
	peopleQuery,
	type Role,
	roles,
	rolesBy,
	siteQuery,
	useInvitations,
	usePeople,
} from "./use-people.ts";

/** Users with access to a site, by role and origin. */
export function PeopleScreen() {
	const site = useSite();
	const query = useQuery(peopleQuery(site.id));
	const { data: more } = useQuery(siteQuery(site.id));
	const panel = usePanel();
	const mayAdd = may("POST /sites/{id}/users", site.role);
	const mayInvite = useLeadsOrganization() === true;
	const slug = more?.org_slug ?? null;
	return (
		<>
			<ScreenHead title={t.title}>
				{mayAdd && <AddButton onClick={() => panel.open("new")}>{mayInvite ? t.invite : t.add}</AddButton>}
			</ScreenHead>
			<Card title={t.list}>
				<p className="intro">{t.explained}</p>
				<Loaded query={query}>
					{({ users }) => (
						<Items label={t.list}>
							{users.map((person) => (
								<Row key={person.user_id} site={site} person={person} organization={more?.org_name ?? ""} />
							))}
						</Items>
					)}
				</Loaded>
				{mayInvite && slug !== null && <Pending site={site} slug={slug} />}
			</Card>
			<Card title={t.rolesTitle}>
				<dl className={styles.roles}>
					{roles.map((role) => (
						<div key={role}>
							<dt>{t.roles[role]}</dt>
							<dd>{t.means[role]}</dd>
						</div>
					))}
				</dl>
			</Card>
			{mayAdd && panel.kind === "new" && query.data && (
				<AddDialog site={site} slug={slug} mayInvite={mayInvite} people={query.data.users} onClose={panel.close} />
			)}
		</>
	);
}

/** Invitations to the site that can still be accepted. */
function Pending({ site, slug }: { readonly site: Site; readonly slug: string }) {
	const { data } = useQuery(invitationsQuery(slug));
	const { revoke } = useInvitations(site.id, slug);
	const open = data?.invitations.filter((one) => one.is_active && one.site_ids.includes(site.id)) ?? [];
	if (open.length === 0) return null;
	return (
		<Items label={t.pending}>
			{open.map(({ id, email, site_role: role, expires_at: end }) => (
				<Item
					key={id}
					title={email}
					facts={t.invited(time(end))}
					state={{ text: t.roles[role], tone: "muted" }}
					actions={
						<Button small disabled={revoke.isBusy} onClick={() => revoke.run(id)}>
							{t.revoke}
							<span className="visually-hidden">: {email}</span>
						</Button>
					}
				/>
			))}
		</Items>
	);
}

interface RowProps {
	readonly site: Site;
	readonly person: Person;
	/** The name of the organization. */
	readonly organization: string;
}

function Row({ site, person, organization }: RowProps) {
	const { data: me } = useSuspenseQuery(meQuery);
	const isMe = me.id === person.user_id;
	const isLeader = person.via === "organization";
	const mayChange =
		may("PATCH /sites/{id}/users/{user_id}", site.role) && !isLeader && rolesBy(site.role).includes(person.role);
	return (
		<Item
			title={isMe ? `${person.name} (${t.you})` : person.name}
			facts={`${person.email} · ${isLeader ? t.viaOrganization(organization).trim() : t.viaSite}`}
			state={mayChange && !isMe ? undefined : { text: t.roles[person.role], tone: "muted" }}
			actions={
				isLeader
					? may("PATCH /sites/{id}/users/{user_id}", site.role) && <span className="intro">{t.changedThere}</span>
					: mayChange && (isMe ? <Leave site={site} person={person} /> : <Change site={site} person={person} />)
			}
		/>
	);
}

function Change({ site, person }: Omit<RowProps, "organization">) {
	const { change, take } = usePeople(site.id);
	return (
		<>
			<select
				aria-label={t.roleOf(person.name)}
				className={field.input}
				value={person.role}
				disabled={change.isBusy}
				onChange={(event) => change.run({ person, role: event.target.value as Role })}
			>
				<Options of={rolesBy(site.role)} text={(role) => t.roles[role]} />
			</select>
			<Button small title={t.takeFrom(person.name)} disabled={take.isBusy} onClick={() => take.run(person)}>
				{t.take}
				<span className="visually-hidden">: {person.name}</span>
			</Button>
		</>
	);
}

function Leave({ site, person }: Omit<RowProps, "organization">) {
	const [isAsked, setAsked] = useState(false);
	return (
		<>
			<Button small onClick={() => setAsked(true)}>
				{t.leave}
			</Button>
			{isAsked && <LeaveDialog site={site} person={person} onClose={() => setAsked(false)} />}
		</>
	);
}

interface LeaveDialogProps {
	readonly site: Site;
	readonly person: Person;
	readonly onClose: () => void;
}

/** Asks before one gives one's own role away, and goes to the sites that are left. */
function LeaveDialog({ site, person, onClose }: LeaveDialogProps) {
	const { leave } = usePeople(site.id);
	const queries = useQueryClient();
	const navigate = useNavigate();
	return (
		<ConfirmDialog
			title={t.leaveTitle}
			goes={[t.leaveGoes, t.leaveBack]}
			stays={[t.leaveStays]}
			action={t.leaveTitle}
			onConfirm={async () => {
				await leave.mutateAsync(person);
				// The list that is known names the site still: its screen would ask for figures that are refused now.
				queries.removeQueries({ queryKey: sitesQuery.queryKey });
				await navigate({ to: "/sites" });
			}}
			onClose={onClose}
		/>
	);
}

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
function AddDialog({ site, slug, mayInvite, people, onClose }: AddDialogProps) {
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
