import { useQuery, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { may } from "../../api/may.ts";
import { time } from "../../lib/format.ts";
import { AddButton } from "../../ui/button/add-button.tsx";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { ConfirmDialog } from "../../ui/confirm/confirm-dialog.tsx";
import field from "../../ui/field/field.module.css";
import { Options } from "../../ui/field/options.tsx";
import { Item, Items } from "../../ui/items/items.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { meQuery, ScreenHead, type Site, sitesQuery, useLeadsOrganization, usePanel, useSite } from "../site/index.ts";
import { AddDialog } from "./add-dialog.tsx";
import styles from "./people.module.css";
import { t } from "./texts.ts";
import {
	invitationsQuery,
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
				<p className={styles.hint}>{t.explained}</p>
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
					? may("PATCH /sites/{id}/users/{user_id}", site.role) && <span className={styles.hint}>{t.changedThere}</span>
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
