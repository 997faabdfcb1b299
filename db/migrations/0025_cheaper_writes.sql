-- atrium: replaces 7e27aaba7852004578fdba396161b7608e34f8201517340a0c166cbf6f4c0428
-- Columns that make every change of a task cheaper, added without a look at the rows: 0029 to 0032 finish them. The text
-- that this one replaces did all of it in one transaction, and a million tasks could not be read for half a minute. A
-- database that has applied it is brought to the same schema by 0029.
alter table activities add column own_project_id bigint;
alter table tasks add column is_open boolean default true;
-- With room left on its page, a change of a task writes no index at all.
alter table tasks set (fillfactor = 90);
