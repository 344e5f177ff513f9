/** Words of the server's lists: the entry that stands for all (decisions §2). */
export const lists = { all: '전체' }
