import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useRested } from "../../lib/use-rested.ts";
import { viewValue, withView } from "../../lib/view.ts";
import { AddButton } from "../../ui/button/add-button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Check } from "../../ui/field/field.tsx";
import { Items } from "../../ui/items/items.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { pageOf } from "../../ui/pager/pager.tsx";
import { PageFoot, useChangeSearch, useSiteSearch } from "../site/index.ts";
import styles from "./admin.module.css";
import { AdminFrame } from "./admin-frame.tsx";
import { NewUser } from "./new-user.tsx";
import { UserItem } from "./user-item.tsx";
import { usersQuery } from "./users-query.ts";
import { t } from "./users-texts.ts";

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
