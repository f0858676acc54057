import { useMutation, useQueryClient } from "@tanstack/react-query";
import { asFailure } from "../../lib/failure.ts";
import { texts } from "../../lib/language.ts";
import { failureText } from "../page/failure-text.ts";
import { toast } from "../toast/toast.tsx";

const t = texts({
	en: { undo: "Undo", undone: "Undone.", saved: "Saved." },
	es: { undo: "Deshacer", undone: "Deshecho.", saved: "Guardado." },
});

/** The message of a change that needs no other. */
export const saved = (): string => t.saved;

interface Change<Input, Result> {
	readonly run: (input: Input) => Promise<Result>;
	/** Routes whose answers are others now: `GET /sites`. */
	readonly stale: readonly string[];
	/** Message after success; none where the screen shows the result. */
	readonly done?: (result: Result, input: Input) => string | undefined;
	/** Takes it back; offered for a few seconds in the toast. */
	readonly undo?: (result: Result, input: Input) => Promise<unknown>;
}

/**
 * A write of the API with what follows: stale queries are refetched, a toast is shown, and the reader may undo
 * it. An error is shown too; `mutateAsync` throws it, so that a form shows it at the field.
 */
export function useChange<Input, Result>({ run, stale, done, undo }: Change<Input, Result>) {
	const queries = useQueryClient();
	const refresh = () => Promise.all(stale.map((route) => queries.invalidateQueries({ queryKey: [route] })));
	const takeBack = async (result: Result, input: Input) => {
		try {
			await undo?.(result, input);
			await refresh();
			toast(t.undone);
		} catch (error) {
			toast(failureText(asFailure(error)));
		}
	};
	const mutation = useMutation({
		mutationFn: run,
		onSuccess: async (result, input) => {
			await refresh();
			const text = done?.(result, input);
			if (text === undefined) return;
			toast(text, undo && { label: t.undo, run: () => void takeBack(result, input) });
		},
	});
	return {
		isBusy: mutation.isPending,
		/** For forms: the failure is theirs to show. */
		mutateAsync: mutation.mutateAsync,
		/** For buttons: an error is shown in a toast. */
		run: (input: Input) => mutation.mutate(input, { onError: (error) => toast(failureText(asFailure(error))) }),
	};
}
