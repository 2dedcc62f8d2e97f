// Writes a type as the compiler resolved it: objects as their properties, unions as their members, no alias of another
// package. Types of the language and of Node are written by their global name.
import {
  ElementFlags,
  ModifierFlags,
  SignatureKind,
  SymbolFlags,
  TypeFlags,
  type Checker,
  type IndexedAccessType,
  type Project,
  type Signature,
  type Symbol as TypeSymbol,
  type TupleType,
  type Type,
  type TypeParameter,
  type TypeReference,
  type UnionType,
} from "typescript/unstable/sync";
import { createDeclarations, promote, type Declarations, type Slot } from "./declarations.ts";

/** The flag of a property that a mapped type made read-only; the compiler does not export its name. */
const checkedReadonly = 8;
const identifier = /^[A-Za-z_$][\w$]*$/;

export interface TypeWriter {
  readonly declarations: Declarations;
  /** The text of a type. `name` is used if it becomes a declaration of its own. */
  text(type: Type, name: string): string;
  /** Writes an exported type under its name. */
  exportType(symbol: TypeSymbol): string;
  /** Names types of the sources that are inferred from schemas, where an exported type contains them. */
  nameInferred(): void;
  isGlobal(name: string): boolean;
}

interface Walk {
  readonly project: Project;
  readonly checker: Checker;
  /** The folder of the own sources. */
  readonly sources: string;
  readonly declarations: Declarations;
  readonly slots: Map<number, Slot>;
  readonly aliases: Map<number, Slot>;
  readonly globals: Map<string, TypeSymbol | undefined>;
}

export function createTypeWriter(project: Project, sources: string): TypeWriter {
  const walk: Walk = {
    project,
    checker: project.checker,
    sources: `${sources.replaceAll("\\", "/").toLowerCase()}/`,
    declarations: createDeclarations(),
    slots: new Map(),
    aliases: new Map(),
    globals: new Map(),
  };
  return {
    declarations: walk.declarations,
    text: (type, name) => textOf(walk, type, name),
    exportType: (symbol) => exportOf(walk, symbol),
    nameInferred: () => nameInferred(walk),
    isGlobal: (name) => globalOf(walk, name) !== undefined,
  };
}

function exportOf(walk: Walk, symbol: TypeSymbol): string {
  const type = walk.checker.getDeclaredTypeOfSymbol(symbol);
  const slot = isDeferred(type) ? aliasSlot(walk, symbol, type) : slotOf(walk, type, symbol.name, symbol);
  slot.exported = true;
  return slot.token;
}

/** The compiler keeps no alias of an inferred type: an equal type that was written without a name takes the alias. */
function nameInferred(walk: Walk): void {
  for (const file of walk.project.program.getSourceFileNames()) {
    if (!file.toLowerCase().startsWith(walk.sources)) continue;
    const source = walk.project.program.getSourceFile(file);
    if (!source?.text.includes("z.infer<")) continue;
    const module = walk.checker.getSymbolAtLocation(source);
    for (const symbol of module ? walk.checker.getExportsOfModule(module) : [])
      if (symbol.flags & SymbolFlags.TypeAlias && isInferred(walk, symbol)) {
        const type = walk.checker.getDeclaredTypeOfSymbol(symbol);
        if (type.isUnionType() || walk.slots.has(type.id)) slotOf(walk, type, symbol.name, symbol);
      }
  }
}

const isInferred = (walk: Walk, symbol: TypeSymbol): boolean =>
  symbol.declarations[0]?.resolve(walk.project)?.getText().includes("z.infer<") ?? false;

function globalOf(walk: Walk, name: string): TypeSymbol | undefined {
  if (!walk.globals.has(name)) walk.globals.set(name, walk.checker.resolveName(name, SymbolFlags.Type));
  return walk.globals.get(name);
}

const has = (type: Type, flags: TypeFlags): boolean => (type.flags & flags) !== 0;
const isDeferred = (type: Type): boolean => has(type, TypeFlags.IndexedAccess | TypeFlags.Conditional);

const isOwn = (walk: Walk, symbol: TypeSymbol): boolean =>
  symbol.declarations.some(({ path }) => path.toLowerCase().startsWith(walk.sources));

const docOf = (walk: Walk, symbol: TypeSymbol): string => {
  const text = isOwn(walk, symbol) ? symbol.getDocumentationComment(walk.checker) : "";
  return text === "" ? "" : `/** ${text.replaceAll(/\s*\n\s*/g, " ").replaceAll("*/", "* /")} */\n`;
};

function textOf(walk: Walk, type: Type, name: string): string {
  if (type.isErrorType()) throw new Error(`The type ${name} of the library cannot be resolved`);
  if (type.isStringLiteralType() || type.isNumberLiteralType()) return JSON.stringify(type.value);
  if (type.isBooleanLiteralType()) return String(type.value);
  if (has(type, TypeFlags.Boolean)) return "boolean";
  if (type.isIntrinsicType()) return type.intrinsicName;
  if (type.isTypeParameter()) return type.getSymbol()?.name ?? name;
  if (isDeferred(type)) return deferredText(walk, type, name);
  if (type.isTemplateLiteralType()) return templateText(walk, type.texts, type.getTypes() ?? [], name);
  if (type.isUnionType() && !ownAlias(walk, type)) return unionText(walk, type, name);
  if (!has(type, TypeFlags.StructuredType)) throw new Error(`The type ${name} of the library cannot be written`);
  const known = type.isObjectType() ? knownText(walk, type, name) : undefined;
  return known ?? slotOf(walk, type, name).token;
}

function templateText(walk: Walk, texts: readonly string[], types: readonly Type[], name: string): string {
  const parts = texts.map((text, index) => {
    const type = types[index];
    return type ? `${text}\${${textOf(walk, type, name)}}` : text;
  });
  return `\`${parts.join("")}\``;
}

/** A type that depends on a type parameter: the alias with its arguments, or the access as it is written. */
function deferredText(walk: Walk, type: Type, name: string): string {
  const alias = type.getAliasSymbol();
  if (alias && isOwn(walk, alias)) {
    const slot = aliasSlot(walk, alias, walk.checker.getDeclaredTypeOfSymbol(alias));
    const given = type.getAliasTypeArguments().map((argument) => textOf(walk, argument, name));
    return `${slot.token}<${given.join(", ")}>`;
  }
  return accessText(walk, type, name);
}

function accessText(walk: Walk, type: Type, name: string): string {
  if (!type.isIndexedAccessType()) throw new Error(`The type ${name} of the library is conditional`);
  const access: IndexedAccessType = type;
  return `${textOf(walk, access.getObjectType(), name)}[${textOf(walk, access.getIndexType(), name)}]`;
}

function aliasSlot(walk: Walk, alias: TypeSymbol, type: Type): Slot {
  const known = walk.aliases.get(alias.id);
  if (known) return known;
  const slot = walk.declarations.open(alias.name, true);
  walk.aliases.set(alias.id, slot);
  slot.doc = docOf(walk, alias);
  slot.parameters = parametersText(walk, type.getAliasTypeArguments(), alias.name);
  slot.body = accessText(walk, type, alias.name);
  return slot;
}

function parametersText(walk: Walk, parameters: readonly Type[], name: string): string {
  if (parameters.length === 0) return "";
  const texts = parameters.map((parameter) => {
    const limit = walk.checker.getConstraintOfTypeParameter(parameter as TypeParameter);
    const own = parameter.getSymbol()?.name ?? name;
    return limit ? `${own} extends ${textOf(walk, limit, `${name}${own}`)}` : own;
  });
  return `<${texts.join(", ")}>`;
}

/** The alias of the own sources that a type is known by, if it takes no arguments. */
function ownAlias(walk: Walk, type: Type): TypeSymbol | undefined {
  const alias = type.getAliasSymbol();
  return alias && type.getAliasTypeArguments().length === 0 && isOwn(walk, alias) ? alias : undefined;
}

/** Declared under a name of the sources: an alias, an interface or a class without arguments. */
function ownName(walk: Walk, type: Type): TypeSymbol | undefined {
  const alias = ownAlias(walk, type);
  if (alias || !type.isObjectType()) return alias;
  const symbol = type.getSymbol();
  if (!symbol || (symbol.flags & (SymbolFlags.Interface | SymbolFlags.Class)) === 0) return undefined;
  const generic = type.isTypeReference() && walk.checker.getTypeArguments(type).length > 0;
  return isOwn(walk, symbol) && !generic ? symbol : undefined;
}

/** Arrays, tuples, and the types of the language and of Node. */
function knownText(walk: Walk, type: Type, name: string): string | undefined {
  if (walk.checker.isTupleType(type)) return tupleText(walk, type as TypeReference, name);
  const symbol = type.getSymbol();
  if (!symbol || (symbol.flags & (SymbolFlags.Interface | SymbolFlags.Class)) === 0) return undefined;
  if (isOwn(walk, symbol)) return undefined;
  if (globalOf(walk, symbol.name)?.id !== symbol.id)
    throw new Error(`The types of the library reach ${symbol.name} of another package at ${name}`);
  const all = type.isTypeReference() ? walk.checker.getTypeArguments(type) : [];
  // What an iterator returns and takes has a default, and older compilers do not know these arguments.
  const given = symbol.name.includes("Itera") ? all.slice(0, 1) : all;
  const texts = given.map((argument) => textOf(walk, argument, name));
  return texts.length === 0 ? symbol.name : `${symbol.name}<${texts.join(", ")}>`;
}

function tupleText(walk: Walk, type: TypeReference, name: string): string {
  const target = type.getTarget() as TupleType;
  const texts = walk.checker.getTypeArguments(type).map((element, index) => {
    const flags = target.elementFlags[index] ?? ElementFlags.Required;
    if (flags & ElementFlags.Optional) return `(${optionalText(walk, element, name)})?`;
    const text = textOf(walk, element, name);
    if (flags & ElementFlags.Rest) return `...Array<${text}>`;
    return flags & ElementFlags.Variadic ? `...${text}` : text;
  });
  return `${target.readonly ? "readonly " : ""}[${texts.join(", ")}]`;
}

/** `null` and `undefined` come last, so that what is left can be a type with a name. */
function unionText(walk: Walk, type: UnionType, name: string, without?: (member: Type) => boolean): string {
  const members = type.getTypes().filter((member) => !without?.(member));
  const empty = members.filter((member) => has(member, TypeFlags.Nullable));
  const full = members.filter((member) => !has(member, TypeFlags.Nullable));
  const texts = [...unionBody(walk, full, name), ...empty.map((member) => textOf(walk, member, name))];
  return [...new Set(texts)].join(" | ");
}

function unionBody(walk: Walk, members: readonly Type[], name: string): readonly string[] {
  const texts = members.map((member) => textOf(walk, member, name));
  const both = texts.includes("true") && texts.includes("false");
  const merged = both ? [...texts.filter((text) => text !== "true" && text !== "false"), "boolean"] : texts;
  if (merged.length < 2) return merged;
  const slot = walk.declarations.open(name, false);
  return [walk.declarations.close(slot, merged.join(" | ")).token];
}

function slotOf(walk: Walk, type: Type, name: string, exported?: TypeSymbol): Slot {
  const known = walk.slots.get(type.id);
  if (known && !exported) return known;
  if (known && exported) return promote(known, { name: exported.name, declared: true, doc: docOf(walk, exported) });
  const symbol = exported ?? ownName(walk, type);
  const slot = walk.declarations.open(symbol?.name ?? name, symbol !== undefined);
  if (symbol) slot.doc = docOf(walk, symbol);
  walk.slots.set(type.id, slot);
  const before = walk.declarations.slots.length;
  const body = bodyOf(walk, type, slot.name);
  // A type that contains itself needs a name.
  const recursive = walk.declarations.slots.slice(before).some((inner) => inner.body.includes(slot.token));
  if (recursive || body.includes(slot.token)) slot.declared = true;
  const closed = walk.declarations.close(slot, body);
  walk.slots.set(type.id, closed);
  return closed;
}

function bodyOf(walk: Walk, type: Type, name: string): string {
  if (type.isUnionType()) return unionText(walk, type, name);
  const members = type.isIntersectionType() ? type.getTypes() : [];
  if (members.some((member) => !member.isObjectType()))
    return members.map((member) => `(${textOf(walk, member, name)})`).join(" & ");
  return objectBody(walk, type, name);
}

function objectBody(walk: Walk, type: Type, name: string): string {
  const { checker } = walk;
  const calls = checker.getSignaturesOfType(type, SignatureKind.Call);
  const properties = checker.getPropertiesOfType(type);
  const indexes = checker.getIndexInfosOfType(type);
  const [only] = calls;
  if (only && calls.length === 1 && properties.length === 0 && indexes.length === 0)
    return `(${signatureText(walk, only, name, " => ")})`;
  const lines = [
    ...calls.map((call) => `${signatureText(walk, call, name, ": ")};`),
    ...indexes.map((index) => {
      const fixed = index.isReadonly ? "readonly " : "";
      return `${fixed}[key: ${textOf(walk, index.keyType, name)}]: ${textOf(walk, index.valueType, name)};`;
    }),
    ...properties.map((property) => propertyText(walk, property, name)),
  ];
  return lines.length === 0 ? "{}" : `{\n${lines.join("\n")}\n}`;
}

function isReadonly(walk: Walk, property: TypeSymbol): boolean {
  if ((property.checkFlags & checkedReadonly) !== 0) return true;
  // A property that a spread copied has declarations too, but loses their modifiers: it has no value declaration.
  const node = property.valueDeclaration?.resolve(walk.project);
  const modifiers = node && "modifierFlags" in node ? Number(node.modifierFlags) : 0;
  return (modifiers & ModifierFlags.Readonly) !== 0;
}

const pascal = (name: string): string =>
  name.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9]?)/g, (_, first: string) => first.toUpperCase());

/** The compiler names `[Symbol.iterator]` as `__@iterator@` with a number. */
function keyText(name: string): string {
  const [, symbol] = /^__@(\w+)@\d+$/.exec(name) ?? [];
  if (symbol !== undefined) return `[Symbol.${symbol}]`;
  return identifier.test(name) ? name : JSON.stringify(name);
}

function propertyText(walk: Walk, property: TypeSymbol, owner: string): string {
  const type = walk.checker.getTypeOfSymbol(property);
  const name = `${owner}${pascal(property.name)}`;
  if (!type) throw new Error(`The type of ${name} cannot be resolved`);
  const optional = (property.flags & SymbolFlags.Optional) !== 0;
  const key = keyText(property.name);
  const head = `${docOf(walk, property)}${isReadonly(walk, property) ? "readonly " : ""}${key}${optional ? "?" : ""}`;
  const method = (property.flags & SymbolFlags.Method) !== 0;
  const calls = method ? walk.checker.getSignaturesOfType(givenType(walk, type), SignatureKind.Call) : [];
  if (calls.length > 0) return calls.map((call) => `${head}${signatureText(walk, call, name, ": ")};`).join("\n");
  return `${head}: ${optional ? optionalText(walk, type, name) : textOf(walk, type, name)};`;
}

const givenType = (walk: Walk, type: Type): Type => walk.checker.getNonNullableType(type) ?? type;

/** The compiler adds a second `undefined` for a property that may be absent; `?` stands for it. */
function optionalText(walk: Walk, type: Type, name: string): string {
  const explicit = walk.checker.getUndefinedType().id;
  const isAbsent = (member: Type): boolean => has(member, TypeFlags.Undefined) && member.id !== explicit;
  if (isAbsent(type)) return "never";
  if (!type.isUnionType() || ownAlias(walk, type)) return textOf(walk, type, name);
  return unionText(walk, type, name, isAbsent);
}

function parameterText(walk: Walk, type: Type, name: string, optional: boolean): string {
  if (!optional || !type.isUnionType() || ownAlias(walk, type)) return textOf(walk, type, name);
  return unionText(walk, type, name, (member) => has(member, TypeFlags.Undefined));
}

function signatureText(walk: Walk, signature: Signature, name: string, arrow: string): string {
  const { checker } = walk;
  const parameters = signature.getParameters();
  const texts = parameters.map((parameter, index) => {
    const type = checker.getTypeOfSymbol(parameter);
    const rest = signature.hasRestParameter && index === parameters.length - 1;
    const node = parameter.valueDeclaration?.resolve(walk.project);
    const optional = node !== undefined && "questionToken" in node && node.questionToken !== undefined;
    const text = type ? parameterText(walk, type, `${name}${pascal(parameter.name)}`, optional) : "unknown";
    const called = identifier.test(parameter.name) ? parameter.name : `argument${index}`;
    return `${rest ? "..." : ""}${called}${optional ? "?" : ""}: ${text}`;
  });
  const result = checker.getReturnTypeOfSignature(signature);
  const generic = parametersText(walk, signature.getTypeParameters(), name);
  return `${generic}(${texts.join(", ")})${arrow}${result ? textOf(walk, result, `${name}Result`) : "void"}`;
}
