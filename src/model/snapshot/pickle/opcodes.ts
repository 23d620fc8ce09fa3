/**
 * Opcodes of Python pickles, protocols 0 to 5 (Python's pickletools documents them). A snapshot is plain data, so an
 * opcode that can name a class, call something, or reach outside the file is never carried out: it is refused by name.
 */
import { say } from '../../../base/said.js';
export const OP = {
  MARK: 0x28,
  STOP: 0x2e,
  POP: 0x30,
  POP_MARK: 0x31,
  DUP: 0x32,
  FLOAT: 0x46,
  INT: 0x49,
  BININT: 0x4a,
  BININT1: 0x4b,
  LONG: 0x4c,
  BININT2: 0x4d,
  NONE: 0x4e,
  STRING: 0x53,
  BINSTRING: 0x54,
  SHORT_BINSTRING: 0x55,
  UNICODE: 0x56,
  BINUNICODE: 0x58,
  APPEND: 0x61,
  DICT: 0x64,
  APPENDS: 0x65,
  GET: 0x67,
  BINGET: 0x68,
  LONG_BINGET: 0x6a,
  LIST: 0x6c,
  PUT: 0x70,
  BINPUT: 0x71,
  LONG_BINPUT: 0x72,
  SETITEM: 0x73,
  TUPLE: 0x74,
  SETITEMS: 0x75,
  EMPTY_DICT: 0x7d,
  EMPTY_LIST: 0x5d,
  EMPTY_TUPLE: 0x29,
  BINFLOAT: 0x47,
  BINBYTES: 0x42,
  SHORT_BINBYTES: 0x43,
  PROTO: 0x80,
  TUPLE1: 0x85,
  TUPLE2: 0x86,
  TUPLE3: 0x87,
  NEWTRUE: 0x88,
  NEWFALSE: 0x89,
  LONG1: 0x8a,
  LONG4: 0x8b,
  SHORT_BINUNICODE: 0x8c,
  BINUNICODE8: 0x8d,
  BINBYTES8: 0x8e,
  EMPTY_SET: 0x8f,
  ADDITEMS: 0x90,
  FROZENSET: 0x91,
  MEMOIZE: 0x94,
  FRAME: 0x95,
  BYTEARRAY8: 0x96,
} as const;

/** What must not be carried out, and what it would do. */
const REFUSED: Readonly<Record<number, string>> = {
  0x63: say`GLOBAL, which names a class or function`,
  0x93: say`STACK_GLOBAL, which names a class or function`,
  0x52: say`REDUCE, which calls something`,
  0x62: say`BUILD, which sets the state of an object`,
  0x69: say`INST, which makes an object of a class`,
  0x6f: say`OBJ, which makes an object of a class`,
  0x81: say`NEWOBJ, which makes an object of a class`,
  0x92: say`NEWOBJ_EX, which makes an object of a class`,
  0x50: say`PERSID, which refers to something outside the file`,
  0x51: say`BINPERSID, which refers to something outside the file`,
  0x82: say`EXT1, which names a registered class`,
  0x83: say`EXT2, which names a registered class`,
  0x84: say`EXT4, which names a registered class`,
  0x97: say`NEXT_BUFFER, which refers to a buffer outside the file`,
  0x98: say`READONLY_BUFFER, which refers to a buffer outside the file`,
};

/** Why an opcode is not carried out: refused on purpose, or none that exists. */
export function refusal(opcode: number): string {
  const named = REFUSED[opcode];
  return named === undefined
    ? say`there is no pickle opcode 0x${opcode.toString(16).padStart(2, '0')}`
    : say`opcode ${named}, is refused: a snapshot holds plain data only`;
}
