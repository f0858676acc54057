import { mayShow } from "../site/index.ts";
import { ListDrawer } from "./list-drawer.tsx";
import { listOf } from "./lists.ts";
import { sharedNameOf } from "./shared-name.ts";

/** All rows of the list with this key; nothing where there is no such list. */
export function ListPanel({ name }: { readonly name: string }) {
	const list = listOf(name);
	return list && mayShow(sharedNameOf(list.key)) && <ListDrawer key={list.key} list={list} />;
}
