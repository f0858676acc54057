import { useSuspenseQuery } from "@tanstack/react-query";
import { MoreHorizontal } from "lucide-react";
import { useState } from "react";
import { call } from "../../api/client.ts";
import { ago } from "../../lib/format.ts";
import { Button } from "../../ui/button/button.tsx";
import { ConfirmDialog } from "../../ui/confirm/confirm-dialog.tsx";
import { useChange } from "../../ui/form/use-change.ts";
import { Item } from "../../ui/items/items.tsx";
import { Popover } from "../../ui/popover/popover.tsx";
import { meQuery } from "../site/index.ts";
import { ActAs } from "./act-as.tsx";
import styles from "./admin.module.css";
import type { User } from "./users-query.ts";
import { t } from "./users-texts.ts";

const stale = ["GET /users", "GET /audit/logs"];

/** One user with the actions of a superadmin. Superadmins can neither change their own role nor suspend themselves. */
export function UserItem({ user }: { readonly user: User }) {
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
