import { ListDrawer } from "./list-drawer.tsx";
import { listOf } from "./lists.ts";

/** All rows of the list with this key; nothing where there is no such list. */
export function ListPanel({ name }: { readonly name: string }) {
	const list = listOf(name);
	return list && <ListDrawer key={list.key} list={list} />;
}
