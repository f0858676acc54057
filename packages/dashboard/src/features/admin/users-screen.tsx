import { keepPreviousData, queryOptions, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { MoreHorizontal } from "lucide-react";
import { useState } from "react";
import { type Answer, call, type Query } from "../../api/client.ts";
import { read } from "../../api/read.ts";
import { ago } from "../../lib/format.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { useRested } from "../../lib/use-rested.ts";
import { viewValue, withView } from "../../lib/view.ts";
import { AddButton } from "../../ui/button/add-button.tsx";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { ConfirmDialog } from "../../ui/confirm/confirm-dialog.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Check, Field, Select } from "../../ui/field/field.tsx";
import { Cancel, Form, Submit } from "../../ui/form/form.tsx";
import { useChange } from "../../ui/form/use-change.ts";
import { Item, Items } from "../../ui/items/items.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { pageOf } from "../../ui/pager/pager.tsx";
import { Popover } from "../../ui/popover/popover.tsx";
import { meQuery, PageFoot, sitesQuery, useChangeSearch, useSiteSearch } from "../site/index.ts";
import styles from "./admin.module.css";
import { AdminFrame } from "./admin-frame.tsx";
import { t } from "./users-texts.ts";

/** A user as superadmins see them. */
type User = Answer<"GET /users">["users"][number];

/** One page of all users. */
const usersQuery = (query: Query<"GET /users">) =>
	queryOptions({ ...read("GET /users", { query }), placeholderData: keepPreviousData });

const pageSize = 50;
/** A search is asked for when nothing was typed for so long. */
const restMs = 200;

/** Everybody who has an account here. */
export function UsersScreen() {
	const [isAdding, setIsAdding] = useState(false);
	const add = <AddButton onClick={() => setIsAdding(true)}>{t.add}</AddButton>;
	return (
		<AdminFrame screen="users" actions={add}>
			<Card label={t.list}>
				<Tools />
				<Users />
			</Card>
			{isAdding && <NewUser onClose={() => setIsAdding(false)} />}
		</AdminFrame>
	);
}

function Tools() {
	const { q, view } = useSiteSearch();
	const change = useChangeSearch();
	const set = (next: Parameters<typeof change>[0]) => change({ ...next, page: undefined }, { replace: true });
	return (
		<div className={styles.tools}>
			<input
				type="search"
				aria-label={t.search}
				placeholder={t.search}
				value={q ?? ""}
				onChange={(event) => set({ q: event.target.value })}
			/>
			<Check
				label={t.inactive}
				checked={viewValue(view, "inactive") !== undefined}
				onChange={(event) => set({ view: withView(view, "inactive", event.target.checked ? ["yes"] : []) })}
			/>
		</div>
	);
}

function Users() {
	const { q = "", view, page: asked } = useSiteSearch();
	const page = pageOf(asked);
	const users = useQuery(
		usersQuery({
			q: useRested(q.trim(), restMs),
			include_inactive: viewValue(view, "inactive") !== undefined,
			page,
			page_size: pageSize,
		}),
	);
	return (
		<Loaded query={users} isEmpty={({ total }) => total === 0} empty={<p>{q === "" ? t.none : t.notFound(q)}</p>}>
			{({ users: shown, total }) => (
				<>
					<Items label={t.list}>
						{shown.map((user) => (
							<UserItem key={user.id} user={user} />
						))}
					</Items>
					<PageFoot page={page} pageSize={pageSize} total={total} />
				</>
			)}
		</Loaded>
	);
}

/** An account that a superadmin makes for somebody. */
function NewUser({ onClose }: { readonly onClose: () => void }) {
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
			<Form form={form} className="stack-16">
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

const stale = ["GET /users", "GET /audit/logs"];

/** One user with the actions of a superadmin. Superadmins can neither change their own role nor suspend themselves. */
function UserItem({ user }: { readonly user: User }) {
	const { data: me } = useSuspenseQuery(meQuery);
	const [isOpen, setIsOpen] = useState<"act" | "remove">();
	const close = () => setIsOpen(undefined);
	const isOwn = user.id === me.id;
	return (
		<Item
			title={user.name}
			facts={factsOf(user)}
			state={stateOf(user, isOwn)}
			actions={
				!isOwn && (
					<>
						{user.is_active && user.role !== "superadmin" && (
							<Button small aria-label={t.actAs(user.name)} onClick={() => setIsOpen("act")}>
								{t.act}
							</Button>
						)}
						<UserMenu user={user} onRemove={() => setIsOpen("remove")} />
					</>
				)
			}
		>
			{isOpen === "act" && <ActAs user={user} onClose={close} />}
			{isOpen === "remove" && <RemoveUser user={user} onClose={close} />}
		</Item>
	);
}

function UserMenu({ user, onRemove }: { readonly user: User; readonly onRemove: () => void }) {
	const set = useChange({
		run: (body: { readonly role?: User["role"]; readonly is_active?: boolean }) =>
			call("PATCH /users/{user_id}", { path: { user_id: user.id }, body }),
		stale,
		done: (_, body) => doneText(user.name, body),
		undo: () =>
			call("PATCH /users/{user_id}", {
				path: { user_id: user.id },
				body: { role: user.role, is_active: user.is_active },
			}),
	});
	const isSuper = user.role === "superadmin";
	return (
		<Popover look="quiet" small icon name={t.more(user.name)} label={<MoreHorizontal size={16} aria-hidden="true" />}>
			{(close) => {
				const run = (act: () => void) => () => {
					close();
					act();
				};
				return (
					<div className={styles.menu}>
						{user.is_active && (
							<Button look="quiet" onClick={run(() => set.run({ role: isSuper ? "user" : "superadmin" }))}>
								{isSuper ? t.demote : t.promote}
							</Button>
						)}
						<Button look="quiet" onClick={run(() => set.run({ is_active: !user.is_active }))}>
							{user.is_active ? t.shut : t.letIn}
						</Button>
						<Button look="quiet" onClick={run(onRemove)}>
							{t.remove}
						</Button>
					</div>
				);
			}}
		</Popover>
	);
}

function RemoveUser({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
	const remove = useChange({
		run: () => call("DELETE /admin/users/{user_id}", { path: { user_id: user.id }, body: { email: user.email } }),
		stale: [...stale, "GET /organizations", "GET /sites"],
		done: () => t.removed(user.name),
	});
	return (
		<ConfirmDialog
			title={t.removeTitle(user.name)}
			goes={t.goes}
			stays={t.stays}
			name={user.email}
			action={t.removeAction}
			onConfirm={() => remove.mutateAsync()}
			onClose={onClose}
		/>
	);
}

const factsOf = (user: User): string =>
	[
		user.email,
		t.sites(user.account_ids.length),
		user.last_login_at === null ? t.neverSeen : t.seen(ago(user.last_login_at)),
		...(user.two_factor_enabled ? [t.twoFactor] : []),
	].join(" · ");

function stateOf(user: User, isOwn: boolean) {
	if (!user.is_active) return { text: t.shutOut, tone: "bad" } as const;
	if (isOwn) return { text: t.you, tone: "good" } as const;
	if (user.role === "superadmin") return { text: t.superadmin, tone: "warn" } as const;
	return user.email_verified_at === null ? ({ text: t.unconfirmed, tone: "muted" } as const) : undefined;
}

function doneText(name: string, body: { readonly role?: User["role"]; readonly is_active?: boolean }): string {
	if (body.role !== undefined) return body.role === "superadmin" ? t.promoted(name) : t.demoted(name);
	return body.is_active === true ? t.letInDone(name) : t.shutDone(name);
}

/** Lets a superadmin see what a user sees; the reason is recorded. */
function ActAs({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
	const form = useForm(async (values) => {
		await call("POST /admin/impersonate-user", { body: { user_id: user.id, reason: textOf(values, "reason") } });
		// Nothing of what the superadmin sees may stay in memory.
		location.assign("/");
	});
	return (
		<Dialog title={t.actAs(user.name)} onClose={onClose}>
			<Form form={form} className="stack-16">
				<p>{t.actText(user.name)}</p>
				<Field label={t.reason} hint={t.reasonHint} name="reason" maxLength={500} autoComplete="off" required />
				<div className={styles.actions}>
					<Cancel onClick={onClose} />
					<Submit>{t.actAs(user.name)}</Submit>
				</div>
			</Form>
		</Dialog>
	);
}
