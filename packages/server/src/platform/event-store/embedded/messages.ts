/** Messages of the store process to its parent. */
export type ChildMessage = { readonly kind: "ready" };

/**
 * Messages of the parent to the store process. The secret is sent here, because arguments and environment are readable
 * by others.
 */
export type ParentMessage =
	| {
			readonly kind: "open";
			readonly directory: string;
			readonly secret: string;
			readonly memoryBytes: number;
			/** Where to listen; a file in a directory of the user alone. */
			readonly socketPath: string;
	  }
	| { readonly kind: "close" };
