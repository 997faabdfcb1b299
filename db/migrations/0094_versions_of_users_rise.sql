-- A release that does not know the version of a person raises it too, when it changes what a form of them shows.
create trigger users_version_rises before update of username, nickname, email, phone, real_name, status on users
  for each row when (new.version = old.version) execute function raise_version();
