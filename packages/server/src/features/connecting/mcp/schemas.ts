import { Type } from "typebox";

/** A message of JSON-RPC 2.0; its content is checked by the protocol. */
export const McpAnswer = Type.Object({
	jsonrpc: Type.Literal("2.0"),
	id: Type.Union([Type.String(), Type.Number(), Type.Null()]),
	result: Type.Optional(Type.Unknown()),
	error: Type.Optional(Type.Object({ code: Type.Integer(), message: Type.String() })),
});
