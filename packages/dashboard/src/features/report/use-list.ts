import { useQuery } from "@tanstack/react-query";
import { createContext, useCallback, useContext } from "react";
import type { ReportInput } from "../../api/batch.ts";
import { type ComparedQuery, report } from "../site/index.ts";
import { type Choice, choiceParameters, choose, type ListAnswer, readList } from "./list-answer.ts";
import { shownValue } from "./list-words.ts";
import type { List } from "./lists.ts";

/** The parameters by which the rows of a list are asked for. */
export const listInput = (list: List, asked: ComparedQuery, choice: Choice, more: object = {}) =>
	({ ...asked, ...choiceParameters(list, choice), ...more }) as ReportInput<typeof list.route>;

/** The question for the rows of a list. */
export const listQuery = (
	list: List,
	asked: ComparedQuery,
	choice: Choice,
	more: object = {},
	isUnseen?: () => boolean,
) => report(list.route, listInput(list, asked, choice, more), isUnseen);

/** Tells whether the part around a list is off the screen. */
export const Unseen = createContext<(() => boolean) | undefined>(undefined);

/** Rows of a list, chosen and ordered. */
export function useList(
	list: List,
	asked: ComparedQuery,
	choice: Choice,
	options: { readonly enabled?: boolean; readonly more?: object } = {},
) {
	const { sort, isRising, search, page, size } = choice;
	const select = useCallback(
		(answer: unknown): ListAnswer =>
			choose(list, readList(list, answer), { sort, isRising, search, page, size }, (value) => shownValue(list, value)),
		[list, sort, isRising, search, page, size],
	);
	const isUnseen = useContext(Unseen);
	return useQuery({
		...listQuery(list, asked, choice, options.more, isUnseen),
		select,
		enabled: options.enabled ?? true,
	});
}
